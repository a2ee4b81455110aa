// confirm: single-thread confirmed data-race strong
// fix: tested
// build: -fopenmp
// Each thread takes the next slot; the table has one.
#include <omp.h>
#include <stdio.h>

static long* slots[1];

int main(void) {
  static long only;
  slots[0] = &only;
  volatile int next = 0;
#pragma omp parallel num_threads(omp_get_max_threads() > 1 ? 2 : 1)
  {
    int mine;
#pragma omp critical
    mine = next++;
#pragma omp barrier
    long* slot = mine ? (long*)(0x123456000l + mine) : slots[0];
    *slot += 1;
  }
  puts("done");
  return 0;
}
