#include "capture/interrupted_call.h"

#include <errno.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/user.h>

namespace sigwhy::capture {

namespace {

constexpr long restart_without_eintr = 513;  // ERESTARTNOINTR, the kernel's own

bool signal_waits(pid_t tid, unsigned queue) {
  __ptrace_peeksiginfo_args first{0, queue, 1};
  siginfo_t info{};
  return ptrace(PTRACE_PEEKSIGINFO, tid, &first, &info) > 0;
}

}  // namespace

void restart_interrupted_call(pid_t tid) {
  user_regs_struct registers{};
  if (ptrace(PTRACE_GETREGS, tid, nullptr, &registers) != 0) return;
  if (static_cast<long>(registers.orig_rax) < 0 || static_cast<long>(registers.rax) != -EINTR) return;
  if (signal_waits(tid, 0) || signal_waits(tid, PTRACE_PEEKSIGINFO_SHARED)) return;
  registers.rax = static_cast<unsigned long>(-restart_without_eintr);
  ptrace(PTRACE_SETREGS, tid, nullptr, &registers);
}

}  // namespace sigwhy::capture
