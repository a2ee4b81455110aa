/* expect: unknown|failed-check weak
   looks-like: division-by-zero
   ends: SIGFPE
   says: check_range

   raise(SIGFPE) by the program's own range check: no division anywhere. */
#include <signal.h>

static int check_range(double value) {
    if (value > 1e300) raise(SIGFPE);
    return 1;
}

int main(void) { return check_range(1e301); }
