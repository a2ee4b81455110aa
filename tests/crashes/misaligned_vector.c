/* expect: unknown weak
   looks-like: null-pointer
   not: wild-pointer out-of-bounds use-after-free
   ends: SIGSEGV
   build: -O1
   says: scale

   movaps wants 16-byte alignment: SIGSEGV with SI_KERNEL and address 0, though
   the memory is mapped, live and writable. */
#include <immintrin.h>
#include <stdlib.h>

__attribute__((noipa)) static void scale(float *values, float factor) {
    __m128 four = _mm_load_ps(values);
    _mm_store_ps(values, _mm_mul_ps(four, _mm_set1_ps(factor)));
}

int main(void) {
    float *values = calloc(64, sizeof *values);
    scale(values + 4, 2);
    scale(values + 1, 2);
    return values[0] > 0;
}
