/* expect: killed-by-process|unknown weak
   not: killed-by-user time-limit memory-leak
   looks-like: out-of-memory-killed
   ends: SIGKILL

   SIGKILL carries no sender, and memory was never short: naming the memory
   killer here would be folklore. */
#include <signal.h>
#include <unistd.h>

int main(void) {
    if (fork() == 0) {
        kill(getppid(), SIGKILL);
        _exit(0);
    }
    for (;;) pause();
}
