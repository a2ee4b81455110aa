/* Adds up pixels on several threads. It is built twice, for two packages that each bring an OpenMP runtime. */
long NAME(const float *pixels, long count) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (long i = 0; i < count; ++i) sum += pixels[i];
  return sum;
}
