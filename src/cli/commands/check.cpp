// Before a run: what would end it, found without running anything of the user's.
#include <unistd.h>

#include <algorithm>

#include "cli/consent.h"
#include "cli/error_line.h"
#include "cli/installed.h"
#include "cli/search_wish.h"
#include "cli/settings.h"
#include "cli/terminal.h"
#include "experiment/import_trials.h"
#include "experiment/interrupt.h"
#include "inventory/check.h"
#include "report/check_text.h"

namespace sigwhy::cli::commands {

namespace {

constexpr int own_error = 125;

// "sigwhy check train.py" means the Python of the PATH.
std::vector<std::string> command_of(const Arguments& arguments, const inventory::Surroundings& around) {
  auto words = arguments.operands;
  if (arguments.behind_dashes || words.size() != 1 || !words[0].ends_with(".py")) return words;
  const bool has_python = !inventory::find_program("python", around).empty();
  return {has_python ? "python" : "python3", words[0]};
}

bool would_end(const CheckUp& check_up) {
  return std::ranges::any_of(check_up.concerns, [](const Concern& c) { return c.severity != Severity::worth_knowing; });
}

// Packages that the user's files import at their top level, each once, in their order.
std::vector<experiment::TriedImport> tried_imports(const inventory::Prospect& prospect) {
  std::vector<experiment::TriedImport> tried;
  for (const auto& import : prospect.imports.own) {
    if (import.own || import.standard || !import.found) continue;
    const bool certain = import.reached == inventory::Reached::certain;
    if (!certain && import.reached != inventory::Reached::tried) continue;
    if (std::ranges::count(tried, import.module, &experiment::TriedImport::module) == 0) tried.push_back({import.module, !certain});
  }
  return tried;
}

Result<std::vector<Concern>> import_them(const inventory::Prospect& prospect, bool yes) {
  const auto& python = prospect.python.path;
  const auto& script = prospect.command.script;
  experiment::Bounds bounds{.seconds = 300};
  const auto front = front_program();
  if (!front) return std::unexpected(front.error());
  bounds.sigwhy = *front;
  if (auto agreed = agree_on_layer(bounds, yes, {python, "-c", "import ..."}); !agreed) return std::unexpected(agreed.error());
  const std::string folder(script.empty() ? prospect.around.directory : inventory::folder_of(inventory::real_path(script)));
  const experiment::InterruptNoted noted;
  return experiment::try_imports(tried_imports(prospect), [&](const std::vector<std::string>& modules) {
    return experiment::run_trial(recipe_of_command({python, "-c", experiment::import_code(modules, folder)}), {}, bounds);
  });
}

Result<CheckUp> looked_up(const Arguments& arguments, const std::vector<std::string>& words, const inventory::Surroundings& around) {
  const auto prospect = inventory::look_ahead(words, around);
  auto found = inventory::check_up(prospect);
  if (!arguments.has("import") || prospect.python.path.empty()) return found;
  auto concerns = import_them(prospect, arguments.has("yes"));
  if (!concerns) return std::unexpected(concerns.error());
  found.checked.push_back("import");
  found.concerns.insert(found.concerns.begin(), concerns->begin(), concerns->end());
  std::ranges::stable_sort(found.concerns, {}, &Concern::severity);
  return found;
}

Result<int> run_check(const Arguments& arguments, Output& output) {
  const auto around = inventory::Surroundings::of_this_process();
  const auto words = command_of(arguments, around);
  const auto looked = looked_up(arguments, words, around);
  if (!looked) {
    output.err += error_line(looked.error()) + "\n";
    return own_error;
  }
  const auto& found = *looked;
  const auto settings = overlaid(load_settings().values, arguments);
  output.out = arguments.has("json") ? to_json(found) + "\n" : report::check_text(found, words, look_for(STDOUT_FILENO, colour_of(settings)));
  return would_end(found) ? 1 : 0;
}

constexpr Option options[] = {
    {.name = "import", .help = "also import what the script imports, under supervision: each alone, then all together"},
    {.name = "yes", .help = "with --import: run it even where no throw-away layer can be had", .letter = 'y'},
    {.name = "json", .help = "the answer as JSON"},
    colour_option,
    no_colour_option,
};

constexpr Example examples[] = {
    {"sigwhy check -- python train.py --epochs 3", "what would end this run"},
    {"sigwhy check", "the Python of the PATH, limits and disk"},
    {"sigwhy check -- torchrun --nproc_per_node 2 train.py", "the script that a launcher starts"},
};

}  // namespace

extern const Command check;
const Command check = {
    .place = 7,
    .summary = "Before a run: missing and broken packages, libraries, CPU, limits",
    .operands = "[SCRIPT | -- COMMAND]",
    .description =
        "Says what would end COMMAND, before it runs: a module or library that is missing, packages whose requirements are not "
        "met or that were built for another Python, NumPy, C library or CPU, two copies of a library that stands none beside "
        "it, limits of memory, processes and files, /dev/shm, disk. Sorted by what would end it first.\n"
        "\n"
        "Nothing of yours is run: the script's imports are read from its source, packages from their metadata, libraries from "
        "their headers. Only --import runs something: the script's imports, not the script, in a throw-away layer; where they "
        "fail together and not alone, it names the pair that breaks.\n"
        "\n"
        "ENDS IT: the run cannot come past it. MAY END IT: runs have ended so, and others have not. WORTH KNOWING: nothing that "
        "ends it by itself. Exit status 1 if something ends it or may end it, else 0; 125 for "
        "errors of its own.",
    .takes = Operands::one_or_command,
    .options = options,
    .examples = examples,
    .run = run_check};

}  // namespace sigwhy::cli::commands
