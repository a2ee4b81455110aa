/* expect: out-of-bounds plausible
   not: use-after-free null-pointer bit-flip
   ends: SIGSEGV
   says: pixel
   says: the index may be far out of bounds

   An index leads gigabytes below the program, where nothing ever was. */
#include <stdlib.h>

__attribute__((noipa)) static float pixel(const float *at) { return *at; }

int main(void) {
    float *image = calloc(1000, sizeof *image);
    return (int)pixel(image - (1L << 31) - (300 << 20));
}
