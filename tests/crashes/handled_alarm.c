/* expect: none
   looks-like: time-limit
   ends: exit 0

   An alarm with a handler is a clock, not a limit. */
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

static volatile sig_atomic_t ticks;

static void tick(int signal) { ticks++; }

int main(void) {
    struct itimerval every = {{0, 10000}, {0, 10000}};
    signal(SIGALRM, tick);
    setitimer(ITIMER_REAL, &every, 0);
    while (ticks < 5) {}
    return 0;
}
