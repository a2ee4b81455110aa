// A look at a living program: its threads stand still for some milliseconds, are copied and go on; what was copied
// is worked out afterwards. A program that sigwhy supervises already is looked at by its supervisor.
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <chrono>

#include "capture/attach.h"
#include "capture/attach_memory.h"
#include "capture/develop.h"
#include "capture/knock.h"
#include "cli/command.h"
#include "cli/error_line.h"
#include "cli/process_id.h"
#include "cli/settings.h"
#include "cli/terminal.h"
#include "cli/values_policy.h"
#include "diagnose/diagnose.h"
#include "evidence/json.h"
#include "evidence/redact.h"
#include "report/render.h"
#include "store/folder.h"
#include "target/saved.h"

namespace sigwhy::cli::commands {

namespace {

constexpr Option options[] = {
    {.name = "full", .help = "everything that was seen: all threads, all frames"},
    {.name = "memory", .help = "instead: what its memory is used for, and which Python names hold it"},
    {.name = "json", .value = "FILE", .help = "also write it to FILE as a case, whole or not at all"},
    values_option,
    no_values_option,
    colour_option,
    no_colour_option,
};

constexpr int moments = 50;
constexpr unsigned moment_us = 10'000;

// Another `sigwhy attach` lets it go in some milliseconds.
Result<capture::Suspect> suspect_in_turn(pid_t pid) {
  auto process = capture::suspect(pid);
  for (int i = 0; i < moments && process && process->tracer && program_of(process->tracer) != "sigwhy"; ++i) {
    ::usleep(moment_us);
    process = capture::suspect(pid);
  }
  return process;
}

Result<capture::LivingArena> look(const capture::Suspect& process) {
  const auto what = "cannot look into process " + std::to_string(process.pid);
  if (process.state == 'Z' || process.state == 'X')
    return failure(what, "it has ended, and its parent has not taken notice yet");
  if (process.of_kernel) return failure(what, "it is a thread of the kernel");
  if (process.pid == getpid()) return failure(what, "that is this very command");
  if (process.tracer == 0) return capture::look_into(process.pid);
  const auto tracer = program_of(process.tracer);
  if (tracer == "sigwhy") return capture::ask_supervisor(process.tracer, process.pid);
  const auto process_of_tracer = capture::suspect(process.tracer);
  const pid_t by = process_of_tracer ? process_of_tracer->pid : process.tracer;
  const auto who = (tracer.empty() ? "" : tracer + ", ") + "process " + std::to_string(by);
  return failure(what, "it is traced already (by " + who + "), and a process has one tracer at most", "end that one first");
}

OwnedFd root_folder_of(pid_t pid) {
  return OwnedFd(::open(("/proc/" + std::to_string(pid) + "/root").c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
}

Case case_of(const Target& target, const Arguments& arguments) {
  Case c{.sigwhy_version = SIGWHY_VERSION};
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  c.made_unix_ms = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
  c.snapshot = capture::develop(target, values_policy(arguments));
  c.diagnosis = diagnose::diagnose(c.snapshot);
  return redact(std::move(c), {.values = arguments.has("values"), .hide_texts = arguments.has("no-values")});
}

// For the benchmark and the tests, as the supervisor does it.
void write_counts(double stopped_ms) {
  const char* path = ::getenv("SIGWHY_TEST_STATS");
  FILE* file = path ? ::fopen(path, "we") : nullptr;
  if (!file) return;
  fprintf(file, "{\"stopped_ms\":%.3f}\n", stopped_ms);
  fclose(file);
}

Result<int> run_attach(const Arguments& given, Output& output) {
  const auto pid = process_id(given.operands[0]);
  if (!pid) return std::unexpected(pid.error());
  const auto process = suspect_in_turn(*pid);
  if (!process) return std::unexpected(process.error());
  auto root = root_folder_of(process->pid);
  const auto grabbed = look(*process);
  if (!grabbed) return std::unexpected(grabbed.error());
  write_counts(grabbed->stopped_ms);
  if (given.has("memory")) capture::add_memory(process->pid, *grabbed);
  auto target = target_from_arena_fd(grabbed->arena.get());
  if (!target) return std::unexpected(target.error());
  target->root = std::move(root);
  const auto settings = overlaid(load_settings().values, given);
  const Case c = case_of(*target, settings);
  if (const auto file = given.value("json"))
    if (const auto written = store::write_whole(*file, to_json(c)); !written) return std::unexpected(written.error());
  auto text = report::render(c, given.has("full") ? "full" : "terminal", look_for(STDOUT_FILENO, colour_of(settings)));
  if (!text) return std::unexpected(text.error());
  output.out = std::move(*text);
  return 0;
}

constexpr Example examples[] = {
    {"sigwhy attach 4711", "what is it doing?"},
    {"sigwhy attach 4711 --full", "all threads with all their frames"},
    {"sigwhy attach 4711 --memory", "what eats its memory?"},
};

}  // namespace

extern const Command attach;
const Command attach = {.place = 9,
                        .summary = "Look into a running program and show what it is doing",
                        .operands = "PID",
                        .description = "Shows Python and native stacks of a living process. It stands still for some milliseconds and "
                                       "runs on unharmed; nothing is kept. A program that runs under `sigwhy run` is looked at by its "
                                       "supervisor.\n"
                                       "\n"
                                       "A thread that sleeps in a system call which it would notice to be interrupted (epoll_wait, "
                                       "semtimedop, a socket) is read without being stopped; of such a thread fewer native frames may "
                                       "be seen. A call that begins in that very moment starts again, with its whole timeout; on an overloaded "
                                       "machine a transfer under way may end with a shorter count.\n"
                                       "\n"
                                       "--memory reads on while the program runs: what changes meanwhile may be counted wrong.",
                        .takes = Operands::one,
                        .options = options,
                        .examples = examples,
                        .run = run_attach};

}  // namespace sigwhy::cli::commands
