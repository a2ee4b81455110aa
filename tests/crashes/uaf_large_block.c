/* expect: use-after-free|wild-pointer|unknown weak
   at-most: strong
   not: null-pointer stack-overflow
   looks-like: out-of-bounds
   ends: SIGSEGV
   says: mean

   A freed large block is simply unmapped. The read faults at the first byte
   behind the mapping below it, which looks like an overrun of that one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double mean(const double *values, long count) {
    double sum = 0;
    for (long i = 0; i < count; i++) sum += values[i];
    return sum / count;
}

int main(void) {
    double *values = calloc(1 << 20, sizeof *values);
    double *other = calloc(1 << 20, sizeof *other);
    printf("%f\n", mean(values, 1 << 20));
    free(values);
    printf("%f\n", mean(values, 1 << 20));
    return other[0] != 0;
}
