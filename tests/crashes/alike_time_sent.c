/* expect: killed-by-process strong
   looks-like: time-limit
   ends: SIGXCPU

   SIGXCPU from another process while hardly any CPU time was used and no limit
   is set. */
#include <signal.h>
#include <unistd.h>

int main(void) {
    if (fork() == 0) {
        kill(getppid(), SIGXCPU);
        _exit(0);
    }
    for (;;) pause();
}
