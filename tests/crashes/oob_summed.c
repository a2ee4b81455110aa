/* expect: out-of-bounds strong
   not: null-pointer wild-pointer use-after-free
   ends: SIGSEGV
   build: -O1
   says: weight_of

   The row is computed from a number that no register has any more: the sum has
   overwritten it. What it was added to is still there. */
#include <stdlib.h>

__attribute__((noipa)) static float weight_of(const float *weights, long row) {
    float weight;
    __asm__("lea (%1,%0,4), %0\n\tmovss (%0), %2" : "+r"(row) : "r"(weights), "x"(weight));
    return weight + (float)row;
}

int main(void) {
    float *weights = malloc(4000);
    for (int i = 0; i < 1000; i++) weights[i] = 1.0f;
    return weight_of(weights, 0x123456789L) > 0;
}
