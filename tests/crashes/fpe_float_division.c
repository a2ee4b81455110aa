/* expect: division-by-zero|unknown weak
   not: null-pointer
   ends: SIGFPE
   build: -O1
   says: ratio

   Floating-point traps are on and 1.0 / 0.0 traps (FPE_FLTDIV): a division by
   zero indeed, but by divsd and not by an integer division. */
#define _GNU_SOURCE
#include <fenv.h>

__attribute__((noipa)) static double ratio(double a, double b) { return a / b; }

int main(void) {
    feenableexcept(FE_DIVBYZERO);
    return ratio(1.0, 0.0) > 0;
}
