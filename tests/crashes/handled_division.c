/* expect: none
   looks-like: division-by-zero
   ends: exit 0

   A calculator that catches its SIGFPE, says "infinite" and goes on. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>

static sigjmp_buf next;

static void infinite(int signal) { siglongjmp(next, 1); }

int main(void) {
    volatile int divisors[] = {2, 0, 3, 0, 5};
    signal(SIGFPE, infinite);
    for (volatile int i = 0; i < 5; i++)
        printf("%d\n", sigsetjmp(next, 1) ? -1 : 30 / divisors[i]);
    return 0;
}
