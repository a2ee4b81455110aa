/* expect: killed-by-process strong
   not: killed-by-user time-limit
   ends: SIGTERM
   says: killed_by_child

   A child process sends SIGTERM to its parent: siginfo names the sender, which
   may be gone when the report is written. */
#include <signal.h>
#include <unistd.h>

int main(void) {
    if (fork() == 0) {
        kill(getppid(), SIGTERM);
        _exit(0);
    }
    for (;;) pause();
}
