#include "capture/armed_threads.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>

#include <new>

#include "capture/clock.h"
#include "capture/thread_look.h"

namespace sigwhy::capture {

namespace {

constexpr double stop_deadline_s = 0.2;
constexpr int hardware_breakpoint = 4;  // TRAP_HWBKPT

void nap() {
  const timespec moment{0, 20'000};
  nanosleep(&moment, nullptr);
}

bool stopped_by_breakpoint(pid_t tid) {
  siginfo_t info{};
  return ptrace(PTRACE_GETSIGINFO, tid, nullptr, &info) == 0 && info.si_signo == SIGTRAP &&
         info.si_code == hardware_breakpoint;
}

// Lets a stopped and cleared thread go, with the signal that it had stopped for, unless that was our breakpoint's.
void detach(pid_t tid, int status) {
  const bool event = status >> 16 != 0;
  if (event) undo_interruption(tid, tid);
  ptrace(PTRACE_DETACH, tid, nullptr, event || stopped_by_breakpoint(tid) ? 0 : WSTOPSIG(status));
}

}  // namespace

bool clear_debug_registers(pid_t tid) {
  return ptrace(PTRACE_POKEUSER, tid, offsetof(struct user, u_debugreg[7]), 0) == 0;
}

ArmedThreads* ArmedThreads::make() {
  void* shared = mmap(nullptr, sizeof(ArmedThreads), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return shared == MAP_FAILED ? nullptr : new (shared) ArmedThreads;
}

bool ArmedThreads::add(pid_t tid) {
  for (auto& slot : tids_) {
    if (slot.load() != 0) continue;
    slot.store(tid);
    return true;
  }
  return false;
}

void ArmedThreads::remove(pid_t tid) {
  for (auto& slot : tids_)
    if (slot.load() == tid) slot.store(0);
}

void ArmedThreads::clear_as_tracer() {
  for (auto& slot : tids_) {
    const pid_t tid = slot.load();
    if (!tid) continue;
    bool cleared = clear_debug_registers(tid);
    if (cleared) {  // it stood still already, for us or for its breakpoint
      if (stopped_by_breakpoint(tid)) ptrace(PTRACE_DETACH, tid, nullptr, 0);
    } else if (ptrace(PTRACE_INTERRUPT, tid, nullptr, nullptr) == 0) {
      int status = 0;
      const double deadline = monotonic_s() + stop_deadline_s;
      pid_t got = 0;
      while ((got = waitpid(tid, &status, WNOHANG | __WALL)) == 0 && monotonic_s() < deadline) nap();
      cleared = got == tid && (!WIFSTOPPED(status) || clear_debug_registers(tid));
      if (cleared && WIFSTOPPED(status)) detach(tid, status);
    } else {
      cleared = errno == ESRCH;
    }
    if (cleared) slot.store(0);
  }
}

void ArmedThreads::clear_as_keeper() {
  for (auto& slot : tids_) {
    const pid_t tid = slot.load();
    if (!tid || ptrace(PTRACE_SEIZE, tid, nullptr, nullptr) != 0) continue;
    int status = 0;
    ptrace(PTRACE_INTERRUPT, tid, nullptr, nullptr);
    if (waitpid(tid, &status, __WALL) == tid && WIFSTOPPED(status)) {
      clear_debug_registers(tid);
      detach(tid, status);
    }
    slot.store(0);
  }
}

}  // namespace sigwhy::capture
