// Lets a supervised program go: its tracer is asked by a signal to detach and leave.
#include <signal.h>

#include "capture/attach.h"
#include "cli/command.h"
#include "cli/process_id.h"

namespace sigwhy::cli::commands {

namespace {

Result<int> run_release(const Arguments& arguments, Output& output) {
  const auto& word = arguments.operands[0];
  const auto pid = process_id(word);
  if (!pid) return std::unexpected(pid.error());
  const auto process = capture::suspect(*pid);
  if (!process) return std::unexpected(process.error());
  const pid_t tracer = process->tracer;
  if (tracer == 0) return failure("process " + word + " is not supervised", "nobody traces it");
  const auto program = program_of(tracer);
  if (program.empty()) return failure("cannot tell who traces process " + word, "process " + std::to_string(tracer) + " is somebody else's");
  if (program != "sigwhy") return failure("process " + word + " is not supervised by sigwhy", program + " traces it");
  if (::kill(tracer, SIGUSR1) != 0) return std::unexpected(errno_error("cannot reach the supervisor", errno));
  output.out = "process " + word + " runs on without sigwhy\n";
  return 0;
}

}  // namespace

extern const Command release;
const Command release = {.place = 11,
                         .summary = "Stop supervising a program and let it run on",
                         .operands = "PID",
                         .description = "For a debugger that must attach, or a program that must not be traced any longer. All processes that the "
                                        "same `sigwhy run` supervises are let go.",
                         .takes = Operands::one,
                         .run = run_release};

}  // namespace sigwhy::cli::commands
