/* expect: out-of-bounds plausible
   not: bit-flip wild-pointer use-after-free
   ends: SIGSEGV
   says: pixel
   says: inf, NaN

   A coordinate is infinite, and as an integer that is the smallest there is.
   The sum of image and index is made by the caller; only the address is left. */
#include <math.h>
#include <stdlib.h>

__attribute__((noipa)) static float pixel(const float *at) { return *at; }

__attribute__((noipa)) static float sample(const float *image, float x) {
    return pixel(image + (int)x) + 1;
}

int main(void) {
    float *image = calloc(1000, sizeof *image);
    return (int)sample(image, INFINITY);
}
