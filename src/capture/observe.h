// Watching without ptrace: refused (container, seccomp, Yama), not wanted (--no-ptrace), or given up because the
// program traces others. The program is still the caller's own child, so nobody but the caller gets its wait
// status; what remains is the pidfd, which tells the end (and since kernel 6.15 the exit status, even after the
// caller has reaped), and the zombie's /proc/PID/stat if we are quick enough.
#pragma once
#include <sys/types.h>

#include <optional>

#include "base/owned_fd.h"
#include "capture/plan.h"
#include "capture/run_table.h"

namespace sigwhy::capture {

// Opened before the program is let go: one that dies at once may be reaped before we look.
OwnedFd handle_of(pid_t root);

// The wait status of a process that has ended, where it can still be had.
std::optional<int> end_status(const OwnedFd& pidfd, pid_t pid);

// `table` may be null. `refused` is the errno of the refusal, 0 where ptrace was not wanted.
void observe(pid_t root, OwnedFd handle, const Plan& plan, int refused, OwnedFd exec_result, double started_s,
             RunTable* table);
void observe_released(pid_t root, const Plan& plan, const char* reason, double started_s,
                      RunTable* table);

}  // namespace sigwhy::capture
