/* expect: none
   looks-like: killed-by-process
   ends: exit 0

   SIGTERM is a request; this server hears it, tidies up and leaves with 0. */
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t asked;

static void stop(int signal) { asked = 1; }

int main(void) {
    sigset_t term, before;
    sigemptyset(&term);
    sigaddset(&term, SIGTERM);
    sigprocmask(SIG_BLOCK, &term, &before);
    signal(SIGTERM, stop);
    if (fork() == 0) {
        kill(getppid(), SIGTERM);
        _exit(0);
    }
    while (!asked) sigsuspend(&before);
    return 0;
}
