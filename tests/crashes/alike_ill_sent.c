/* expect: killed-by-process strong
   looks-like: unsupported-instruction deliberate-trap
   ends: SIGILL

   SIGILL from another process: the instruction at hand is an ordinary one. */
#include <signal.h>
#include <unistd.h>

int main(void) {
    if (fork() == 0) {
        kill(getppid(), SIGILL);
        _exit(0);
    }
    for (volatile long turns = 0;; turns++) {}
}
