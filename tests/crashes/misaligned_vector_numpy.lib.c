#include <immintrin.h>
void add_one(double *values) {
    __m256d four = _mm256_load_pd(values);
    _mm256_store_pd(values, _mm256_add_pd(four, _mm256_set1_pd(1)));
}
