/* expect: killed-by-process strong
   looks-like: failed-check
   not: heap-corruption
   ends: SIGABRT

   SIGABRT from another process, as service managers send it when a watchdog
   runs out: abort() was never called here. */
#include <signal.h>
#include <unistd.h>

int main(void) {
    if (fork() == 0) {
        kill(getppid(), SIGABRT);
        _exit(0);
    }
    for (;;) pause();
}
