// confirm: single-thread refuted
// build: -fopenmp
#include <omp.h>
#include <stdio.h>

int main(void) {
  volatile long sum = 0;
#pragma omp parallel num_threads(omp_get_max_threads() > 1 ? 2 : 1)
  {
#pragma omp barrier
#pragma omp single
    sum += *(volatile long*)0x123456000l;
  }
  printf("%ld\n", sum);
  return 0;
}
