#include "capture/init.h"

#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sigwhy::capture {

namespace {

int exit_code(int wait_status) {
  return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

// As a letter of whoever sent it: by kill() it would be one of ours. The kernel lets nobody write SI_USER for another, but
// SI_QUEUE. Number 0 is a sender outside this container.
void forward(pid_t program, int signal, siginfo_t info) {
  info.si_code = SI_QUEUE;
  info.si_value = {};
  if (syscall(SYS_rt_sigqueueinfo, program, signal, &info) != 0) kill(program, signal);
}

[[noreturn]] void reap_and_forward(pid_t program, const sigset_t& all) {
  for (;;) {
    siginfo_t info{};
    const int signal = sigwaitinfo(&all, &info);
    int status = 0;
    for (pid_t ended; (ended = waitpid(-1, &status, WNOHANG)) > 0;)
      if (ended == program) _exit(exit_code(status));
    // What the terminal sends goes to the whole foreground group, the program included.
    if (signal > 0 && signal != SIGCHLD && info.si_code != SI_KERNEL) forward(program, signal, info);
  }
}

}  // namespace

void become_init() {
  sigset_t all, before;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &before);
  const pid_t program = fork();
  if (program > 0) reap_and_forward(program, all);
  sigprocmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace sigwhy::capture
