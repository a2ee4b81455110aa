/* expect: wild-pointer|unknown weak
   looks-like: out-of-bounds
   not: use-after-free null-pointer bit-flip
   ends: SIGSEGV
   says: pixel

   As far below the heap as the smallest integer leads, but not exactly there. */
#include <stdlib.h>

__attribute__((noipa)) static float pixel(const float *at) { return *at; }

int main(void) {
    float *image = calloc(1000, sizeof *image);
    return (int)pixel(image - (1L << 31) - (300 << 20));
}
