#include "capture/keeper.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>

#include "capture/record_file.h"
#include "capture/termination_log.h"

namespace sigwhy::capture {

namespace {

ArmedThreads* armed_threads = nullptr;
volatile sig_atomic_t keeper_gone = 0;

constexpr int trace_capability = 19;  // CAP_SYS_PTRACE

void leave(int) {
  armed_threads->clear_as_tracer();
  _exit(0);
}

void note_keeper_gone(int) { keeper_gone = 1; }

// Without SA_RESTART: the supervisor's wait must return.
void handle(int signal, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  sigaction(signal, &action, nullptr);
}

bool yama_restricts() {
  char scope = '0';
  const OwnedFd fd(::open("/proc/sys/kernel/yama/ptrace_scope", O_RDONLY | O_CLOEXEC));
  if (!fd || ::read(fd.get(), &scope, 1) != 1 || scope == '0') return false;
  char text[8192];
  const OwnedFd status(::open("/proc/self/status", O_RDONLY | O_CLOEXEC));
  const auto size = status ? ::read(status.get(), text, sizeof text - 1) : 0;
  text[size > 0 ? size : 0] = '\0';
  const char* line = strstr(text, "\nCapEff:");
  const std::uint64_t capabilities = line ? strtoull(line + strlen("\nCapEff:"), nullptr, 16) : 0;
  return !(capabilities >> trace_capability & 1);
}

}  // namespace

void mind_keeper(pid_t keeper, ArmedThreads* armed) {
  armed_threads = armed;
  handle(SIGUSR1, leave);
  handle(SIGRTMIN, note_keeper_gone);
  prctl(PR_SET_PDEATHSIG, SIGRTMIN);
  if (getppid() != keeper) keeper_gone = 1;
}

bool keeper_is_gone() { return keeper_gone; }

bool keeper_may_attach(pid_t pid, pid_t root) {
  static const bool restricted = yama_restricts();
  return !keeper_gone && (pid == root || !restricted);
}

// A killed keeper can remove nothing; left alone, its record would be taken for a run that nobody saw the end of.
void end_run(RunTable& table, const Plan& plan) {
  if (!keeper_gone) return table.end();
  if (table.log_is_kept() && !table.told()) write_termination_log(plan.termination_log, "");
  const auto state = table.record_state();
  const bool may_be_there = state == RecordState::there || (state == RecordState::making && table.record_number());
  if (may_be_there) ::unlink(record_path(plan.case_folder, table.record_number()).c_str());
}

void keep(pid_t supervisor, const OwnedFd& end, Tee& tee, ArmedThreads* armed, Sampling& sampling) {
  const auto undo = [&] {
    if (armed) armed->clear_as_keeper();
  };
  tee.relay(end.get(), undo);
  int status = 0;
  waitpid(supervisor, &status, __WALL);
  undo();
  sampling.finish(WIFSIGNALED(status));
  _exit(0);
}

}  // namespace sigwhy::capture
