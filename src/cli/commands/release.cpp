// Lets a supervised program go: its tracer is asked by a signal to detach and leave.
#include <signal.h>
#include <unistd.h>

#include <charconv>
#include <climits>
#include <filesystem>
#include <fstream>

#include "cli/command.h"

namespace sigwhy::cli::commands {

namespace {

std::optional<pid_t> number(std::string_view text) {
  pid_t value = 0;
  const auto end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  return read.ptr == end && read.ec == std::errc{} && value > 0 ? std::optional(value) : std::nullopt;
}

// 0: traced by nobody.
Result<pid_t> tracer_of(pid_t pid) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  if (!status) return failure("there is no process " + std::to_string(pid));
  constexpr std::string_view key = "TracerPid:\t";
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(key)) return number(line.substr(key.size())).value_or(0);
  return 0;
}

std::string program_of(pid_t pid) {
  std::error_code ignored;
  return std::filesystem::read_symlink("/proc/" + std::to_string(pid) + "/exe", ignored).filename();
}

Result<int> run_release(const Arguments& arguments, Output& output) {
  const auto& word = arguments.operands[0];
  const auto pid = number(word);
  if (!pid) return failure("\"" + word + "\" is no process id");
  const auto tracer = tracer_of(*pid);
  if (!tracer) return std::unexpected(tracer.error());
  if (*tracer == 0) return failure("process " + word + " is not supervised", "nobody traces it");
  const auto program = program_of(*tracer);
  if (program.empty()) return failure("cannot tell who traces process " + word, "process " + std::to_string(*tracer) + " is somebody else's");
  if (program != "sigwhy") return failure("process " + word + " is not supervised by sigwhy", program + " traces it");
  if (::kill(*tracer, SIGUSR1) != 0) return std::unexpected(errno_error("cannot reach the supervisor", errno));
  output.out = "process " + word + " runs on without sigwhy\n";
  return 0;
}

}  // namespace

extern const Command release;
const Command release = {.place = 6,
                         .summary = "Stop supervising a program and let it run on",
                         .operands = "PID",
                         .description = "For a debugger that must attach, or a program that must not be traced any longer. All processes that the "
                                        "same `sigwhy run` supervises are let go.",
                         .takes = Operands::one,
                         .run = run_release};

}  // namespace sigwhy::cli::commands
