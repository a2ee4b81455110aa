// Are these input files sound, and if not, where do they break?
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>

#include "cli/command.h"
#include "cli/settings.h"
#include "cli/terminal.h"
#include "inputs/check.h"
#include "inputs/verdict.h"
#include "report/verification.h"

namespace sigwhy::cli::commands {

namespace {

constexpr int some_broken = 1, some_not_checked = 3;
constexpr int longest_limit_s = 7 * 24 * 3600;

Result<std::chrono::seconds> limit_of(const Arguments& arguments) {
  const auto word = arguments.value("limit").value_or("600");
  int seconds = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), seconds);
  if (error != std::errc() || end != word.data() + word.size() || seconds < 1 || seconds > longest_limit_s)
    return failure("--limit " + word + " is no number of seconds", "", "for example: --limit 60");
  return std::chrono::seconds(seconds);
}

Input verified(const std::string& path, std::chrono::seconds limit) {
  Input input{.path = inputs::is_shown_as_is(path) ? path : inputs::shown(path), .seen = "asked about"};
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode)) input.bytes = static_cast<std::uint64_t>(status.st_size);
  input.checked = inputs::check(path, limit);
  return input;
}

int status_of(const Verification& verification) {
  const auto any = [&](Soundness soundness) {
    return std::ranges::any_of(verification.files, [&](const Input& file) { return file.checked.soundness == soundness; });
  };
  if (any(Soundness::broken)) return some_broken;
  return any(Soundness::unknown_format) || any(Soundness::not_checked) ? some_not_checked : 0;
}

Result<int> run_verify(const Arguments& arguments, Output& output) {
  if (arguments.operands.empty()) return failure("which files? none is named", "", "sigwhy verify FILE...");
  const auto limit = limit_of(arguments);
  if (!limit) return std::unexpected(limit.error());
  Verification verification;
  for (const auto& path : arguments.operands) verification.files.push_back(verified(path, *limit));
  if (arguments.has("json")) {
    output.out = to_json(verification) + "\n";
  } else {
    const auto settings = overlaid(load_settings().values, arguments);
    output.out = report::draw_verification(verification, look_for(STDOUT_FILENO, colour_of(settings)));
  }
  return status_of(verification);
}

constexpr Option options[] = {
    {.name = "json", .help = "what was found, as JSON"},
    {.name = "limit", .value = "SECONDS", .help = "stop a file's walk after this time and say how far it came (600)"},
    colour_option,
    no_colour_option,
};

constexpr Example examples[] = {
    {"sigwhy verify train.tfrecord", "the record and the byte at which it breaks, if it does"},
    {"sigwhy verify data/*.npz model.keras", "several; the exit status is 0 only if all are sound"},
};

}  // namespace

extern const Command verify;
const Command verify = {
    .place = 8,
    .summary = "Say whether input files are sound, and if not, where they break",
    .operands = "FILE...",
    .description = "Each file is walked from start to end and its checksums are computed, in a process of its own that may die of "
                   "it. The format is told by the content, else by the name. Bytes and records are counted from 0; a byte that is "
                   "said to be broken is the first of the field that cannot be, or the end of a file that is too short.\n\n"
                   "A sound file can still hold wrong numbers: formats without checksums cannot show that.\n\n"
                   "Exit status: 0 all are sound, 1 some are broken, 3 none is broken but some could not be checked or are of no "
                   "known format.",
    .takes = Operands::any,
    .options = options,
    .examples = examples,
    .run = run_verify};

}  // namespace sigwhy::cli::commands
