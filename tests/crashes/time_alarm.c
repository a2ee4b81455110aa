/* expect: time-limit strong
   not: killed-by-process killed-by-user
   ends: SIGALRM
   says: solve

   alarm() as a home-made time limit, with no handler: the kernel sends SIGALRM
   when it runs out. */
#include <unistd.h>

static long solve(void) {
    for (volatile long step = 0;; step++) {}
}

int main(void) {
    alarm(1);
    return (int)solve();
}
