/* expect: killed-by-process strong
   looks-like: deliberate-trap
   ends: SIGTRAP

   A SIGTRAP that another process sent: no int3 stands before the instruction
   pointer. */
#include <signal.h>
#include <unistd.h>

int main(void) {
    if (fork() == 0) {
        kill(getppid(), SIGTRAP);
        _exit(0);
    }
    for (;;) pause();
}
