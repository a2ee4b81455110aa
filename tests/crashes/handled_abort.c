/* expect: none
   looks-like: failed-check
   ends: exit 0

   A test harness catches the SIGABRT of a failing assertion, counts it and goes
   on. */
#include <assert.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>

static sigjmp_buf after;

static void failed(int signal) { siglongjmp(after, 1); }

int main(void) {
    volatile int failures = 0;
    signal(SIGABRT, failed);
    for (volatile int test = 0; test < 3; test++) {
        if (sigsetjmp(after, 1)) failures++;
        else assert(test != 1);
    }
    return failures == 1 ? 0 : 1;
}
