/* expect: wild-pointer|unknown weak
   looks-like: out-of-bounds
   not: null-pointer out-of-bounds
   ends: SIGSEGV
   build: -O1
   says: weight_of

   The instruction before is a sum too, but of a pointer that is wrong itself and
   a small number: nothing real is part of it. */
#include <stdlib.h>

__attribute__((noipa)) static float weight_of(const float *weights, long row) {
    float weight;
    __asm__("lea (%1,%0,4), %0\n\tmovss (%0), %2" : "+r"(row) : "r"(weights), "x"(weight));
    return weight + (float)row;
}

int main(void) {
    float *weights = malloc(4000);
    weights[0] = 1.0f;
    return weight_of((const float *)0x234567890000L, (long)weights[0]) > 0;
}
