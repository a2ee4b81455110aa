/* expect: unknown|killed-by-process|failed-check weak
   looks-like: null-pointer wild-pointer
   not: out-of-bounds
   ends: SIGSEGV
   says: crash_for_test

   raise(SIGSEGV), as a test of crash handling: no memory was touched. */
#include <signal.h>

static void crash_for_test(void) { raise(SIGSEGV); }

int main(void) {
    crash_for_test();
    return 0;
}
