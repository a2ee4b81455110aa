#include "capture/init.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sigwhy::capture {

namespace {

int exit_code(int wait_status) {
  return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

[[noreturn]] void reap_and_forward(pid_t program, const sigset_t& all) {
  for (;;) {
    siginfo_t info{};
    const int signal = sigwaitinfo(&all, &info);
    int status = 0;
    for (pid_t ended; (ended = waitpid(-1, &status, WNOHANG)) > 0;)
      if (ended == program) _exit(exit_code(status));
    // What the terminal sends goes to the whole foreground group, the program included.
    if (signal > 0 && signal != SIGCHLD && info.si_code != SI_KERNEL) kill(program, signal);
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
