/* expect: none
   looks-like: null-pointer
   ends: exit 0

   A thousand SIGSEGVs, each caught and left by siglongjmp: a way to probe
   memory, and no crash. */
#include <setjmp.h>
#include <signal.h>

static sigjmp_buf next;

static void skip(int signal) { siglongjmp(next, 1); }

int main(void) {
    volatile int readable = 0;
    signal(SIGSEGV, skip);
    for (volatile long page = 0; page < 1000; page++)
        if (!sigsetjmp(next, 1))
            readable += *(volatile char *)(page * 16) == 0;
    return readable;
}
