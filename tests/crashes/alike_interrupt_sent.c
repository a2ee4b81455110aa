/* expect: killed-by-process strong
   looks-like: killed-by-user
   ends: SIGINT

   SIGINT sent with kill by another process: nobody pressed a key. */
#include <signal.h>
#include <unistd.h>

int main(void) {
    if (fork() == 0) {
        kill(getppid(), SIGINT);
        _exit(0);
    }
    for (;;) pause();
}
