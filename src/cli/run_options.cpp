#include "cli/run_options.h"

#include <charconv>

#include "cli/settings.h"

namespace sigwhy::cli {

namespace {

constexpr Option table[] = {
    {.name = "json", .value = "FILE", .help = "also write the case to FILE, whole or not at all"},
    {.name = "full", .help = "print everything that was seen, not one screen"},
    {.name = "quiet", .help = "print no report; the case is kept", .letter = 'q', .instead_of = "always"},
    {.name = "always", .help = "report every end, a normal exit too", .instead_of = "quiet"},
    {.name = "no-ptrace", .help = "do not trace: judge from the exit status and the kernel's files alone"},
    {.name = "tee", .help = "pass the program's stderr on and keep its last 64 KiB"},
    {.name = "guard",
     .value = "MODE",
     .help = "watch the heap: some blocks, every block, or with the inaccessible page in front",
     .choices = "sampled|all|before",
     .alone = "sampled"},
    {.name = "forecast", .help = "say when memory grows so that it will meet its limit, and when that will be"},
    {.name = "termination-log",
     .value = "FILE",
     .help = "keep one screen there that says how it stands, and at the end why it died"},
    {.name = "tensorboard", .value = "DIR", .help = "write memory as scalars for TensorBoard while it runs"},
    colour_option,
    no_colour_option,
    values_option,
    no_values_option,
    {.name = "hang", .value = "SECONDS", .help = "so long without progress is a hang: say where it waits, and why"},
    {.name = "on-hang", .value = "ACTION", .help = "what to do then: say it and let it be, or end it too", .choices = "report|kill"},
};

std::optional<double> seconds_in(const std::string& text) {
  double seconds = 0;
  const auto end = text.data() + text.size();
  if (std::from_chars(text.data(), end, seconds).ptr != end || seconds <= 0) return std::nullopt;
  return seconds;
}

Result<RunOptions> options_from(const Arguments& a) {
  RunOptions o;
  o.help = a.has("help");
  o.json_file = a.value("json").value_or("");
  o.full = a.has("full");
  o.quiet = a.has("quiet");
  o.always = a.has("always");
  o.ptrace = !a.has("no-ptrace");
  o.tee = a.has("tee");
  o.guard = a.value("guard").value_or("");
  o.forecast = a.has("forecast");
  o.termination_log = a.value("termination-log").value_or("");
  o.tensorboard = a.value("tensorboard").value_or("");
  o.colour = colour_of(a);
  o.values = a.has("values") ? Values::shown : a.has("no-values") ? Values::hidden : Values::usual;
  o.command = a.operands;
  o.kill_hung = a.value("on-hang") == "kill";
  if (const auto seconds = a.value("hang")) {
    const auto number = seconds_in(*seconds);
    if (!number) return failure("--hang", "\"" + *seconds + "\" is no number of seconds", "--hang 60");
    o.hang_s = *number;
    if (!o.ptrace) o.notes.push_back("sigwhy: --hang: not looked for with --no-ptrace");
  } else if (a.has("on-hang")) {
    o.notes.push_back("sigwhy: --on-hang: hangs are looked for with --hang SECONDS only");
  }
  return o;
}

}  // namespace

std::span<const Option> run_option_table() { return table; }

Colour colour_of(const Arguments& a) {
  const auto when = a.value("colour");
  if (a.has("no-colour") || when == "never") return Colour::never;
  return when == "always" ? Colour::always : Colour::automatic;
}

Result<RunOptions> parse_run(int argc, char** argv) {
  const std::vector<std::string> words(argv, argv + argc);
  const auto flags = parse(table, Operands::command, words);
  if (!flags) return std::unexpected(flags.error());
  const auto settings = load_settings();
  auto options = options_from(overlaid(settings.values, *flags));
  if (!options) return options;
  options->notes.insert(options->notes.begin(), settings.problems.begin(), settings.problems.end());
  if (options->command.empty() && !options->help)
    return failure("run", "no command is given", "sigwhy run -- COMMAND...");
  return options;
}

}  // namespace sigwhy::cli
