// Where along a parameter a program begins to die, by running it in the throw-away layer.
#include "experiment/bisect.h"

#include "cli/command.h"
#include "cli/error_line.h"
#include "cli/search_wish.h"
#include "experiment/interrupt.h"

namespace sigwhy::cli::commands {

namespace {

constexpr int own_error = 125;

constexpr Option options[] = {
    {.name = "over", .value = "NAME=VALUES", .help = "what is varied: NAME=LOW..HIGH, NAME=A,B,C or NAME=@FILE: then {NAME} is a file with some of its lines"},
    {.name = "smallest", .help = "the smallest value that survives, not the largest"},
    {.name = "memory", .value = "SIZE", .help = "run it in a memory group with this limit: 300M, 8G"},
    {.name = "votes", .value = "N", .help = "runs of each value that the answer rests on (3)"},
    {.name = "runs", .value = "N", .help = "stop after N runs"},
    {.name = "time", .value = "TIME", .help = "stop after this time: 90, 15m, 2h"},
    {.name = "timeout", .value = "TIME", .help = "a run that takes longer hangs (600)"},
    {.name = "disk", .value = "SIZE", .help = "what one run may write (8G)"},
    {.name = "network", .help = "leave the network on"},
    {.name = "yes", .help = "run it even where no throw-away layer can be had", .letter = 'y'},
    {.name = "json", .help = "the answer as JSON"},
    colour_option,
    no_colour_option,
};

Result<Search> search(const Arguments& arguments) {
  const auto text = arguments.value("over");
  if (!text) return failure("what is to be varied?", "--over is missing", "for example --over batch=1..4096");
  const auto over = experiment::parse_over(*text);
  if (!over) return std::unexpected(over.error());
  const auto wish = search_wish(arguments, 3);
  if (!wish) return std::unexpected(wish.error());
  const experiment::InterruptNoted noted;
  return experiment::bisect(*wish, *over, arguments.has("smallest"));
}

Result<int> run_bisect(const Arguments& arguments, Output& output) {
  const auto found = search(arguments);
  if (found) return show_search(*found, arguments, output);
  output.err += error_line(found.error()) + "\n";
  return own_error;
}

constexpr Example examples[] = {
    {"sigwhy bisect --over batch=1..4096 -- python train.py --batch {batch}", "the largest batch that survives"},
    {"sigwhy bisect --over line=@queries.txt -- ./parse {line}", "which line of the file kills it"},
    {"sigwhy bisect --over n=1..64 --memory 2G -- ./solve -j {n}", "how many fit into 2 GiB"},
};

}  // namespace

extern const Command bisect;
const Command bisect = {
    .place = 6,
    .summary = "Find the largest value that survives, or the line that kills",
    .operands = "--over N=VALUES -- COMMAND",
    .description =
        "Runs COMMAND again and again with {NAME} replaced, and finds where it begins to die: of a signal, of memory, with "
        "an exit status other than 0, or by not ending in time. A range takes about log2(n) runs. Outcomes beside the "
        "boundary are repeated; where runs contradict each other more are made, and the answer says flaky. Where memory "
        "kills, the peaks of surviving runs tell where to look first.\n"
        "\n"
        "Every run is made in a throw-away layer: it sees your files and cannot change them, has no network and no "
        "terminal, and whatever it started is ended with it. Where the system allows no such layer sigwhy asks first.\n"
        "\n"
        "Ctrl-C gives what is known so far. Exit status 0 when there is an answer, 1 when it stopped before, 125 for "
        "errors of its own.",
    .takes = Operands::command,
    .options = options,
    .examples = examples,
    .run = run_bisect};

}  // namespace sigwhy::cli::commands
