/* expect: division-by-zero strong
   looks-like: null-pointer
   ends: SIGFPE
   says: ratio

   A fault was caught and recovered from; later the program dies of something
   else. The old fault must not be called the cause. */
#include <setjmp.h>
#include <signal.h>

static sigjmp_buf next;

static void skip(int signal) { siglongjmp(next, 1); }

static int ratio(int part, int whole) { return part / whole; }

int main(void) {
    signal(SIGSEGV, skip);
    if (!sigsetjmp(next, 1)) *(volatile int *)0 = 1;
    return ratio(1, 0);
}
