// Stopping a thread on a whim makes some system calls (epoll_wait, semtimedop, recv with a time-out) return EINTR
// where undisturbed they would have slept on. The stopped thread's registers still hold that answer, so the call
// can be told to start again, as the kernel does for calls that may not be interrupted.
#pragma once
#include <sys/types.h>

namespace sigwhy::capture {

// For a thread that we stopped ourselves. Nothing changes where a signal of the program's own is waiting: that one
// would have interrupted the call anyway.
void restart_interrupted_call(pid_t tid);

}  // namespace sigwhy::capture
