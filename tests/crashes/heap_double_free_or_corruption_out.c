/* expect: heap-corruption strong
   at-most: strong
   looks-like: invalid-free
   not: use-after-free null-pointer
   ends: SIGABRT
   build: -O2 -fno-builtin
   says: (?i)double free or corruption \(out\)

   "double free or corruption (out)" without any double free: the size of the
   freed block was overwritten and points behind the heap. */
#include <stdlib.h>
#include <string.h>

__attribute__((noipa)) static void scatter(float *values, long index) {
    values[index] = 1.0f;
}

int main(void) {
    float *values = malloc(400), *result = malloc(4000);
    scatter(values, 102);
    free(result);
    free(values);
    return 0;
}
