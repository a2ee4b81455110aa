/* expect: none
   looks-like: null-pointer
   ends: exit 3

   A fault is caught and recovered from, the work goes on for a while, and the
   program ends with 3 for a reason of its own that it states. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static sigjmp_buf next;

static void skip(int signal) { siglongjmp(next, 1); }

int main(void) {
    signal(SIGSEGV, skip);
    if (!sigsetjmp(next, 1)) *(volatile int *)0 = 1;
    signal(SIGSEGV, SIG_DFL);
    sleep(3);
    fprintf(stderr, "3 tests failed\n");
    return 3;
}
