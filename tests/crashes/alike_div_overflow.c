/* expect: unknown weak
   looks-like: division-by-zero
   ends: SIGFPE
   build: -O1
   says: scale

   INT_MIN / -1: the same signal and the same si_code as division by zero, and
   the divisor is -1. */
#include <limits.h>

__attribute__((noipa)) static int scale(int value, int factor) {
    return value / factor;
}

int main(void) { return scale(INT_MIN, -1); }
