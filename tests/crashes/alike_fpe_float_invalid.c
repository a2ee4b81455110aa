/* expect: unknown weak
   looks-like: division-by-zero
   ends: SIGFPE
   build: -O1
   says: length

   Floating-point traps are on and the square root of -1 traps (FPE_FLTINV):
   SIGFPE without any division. */
#define _GNU_SOURCE
#include <fenv.h>
#include <immintrin.h>

__attribute__((noipa)) static double length(double square) {
    return _mm_cvtsd_f64(_mm_sqrt_sd(_mm_setzero_pd(), _mm_set_sd(square)));
}

int main(void) {
    feenableexcept(FE_INVALID);
    return length(-1.0) > 0;
}
