/* expect: killed-by-process strong
   looks-like: resource-limit
   ends: SIGXFSZ

   SIGXFSZ from another process: no limit is set, no file is written. */
#include <signal.h>
#include <unistd.h>

int main(void) {
    if (fork() == 0) {
        kill(getppid(), SIGXFSZ);
        _exit(0);
    }
    for (;;) pause();
}
