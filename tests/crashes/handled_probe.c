/* expect: none
   looks-like: unsupported-instruction
   ends: exit 0

   A library finds out what the CPU can do by trying: SIGILL is caught, the
   plain version is used, all is well. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>

static sigjmp_buf without;

static void not_there(int signal) { siglongjmp(without, 1); }

int main(void) {
    signal(SIGILL, not_there);
    int has = 0;
    if (!sigsetjmp(without, 1)) {
        __asm__ volatile(".byte 0x0f, 0x0b");
        has = 1;
    }
    signal(SIGILL, SIG_DFL);
    printf("%s\n", has ? "fast" : "plain");
    return 0;
}
