// confirm: guarded-heap confirmed out-of-bounds proven
// Two elements too many into a small block; the C library notices at free, long after.
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static void fill(long* to, int count) {
  for (int i = 0; i < count + 2; ++i) to[i] = -1;
}

int main(void) {
  long *numbers = malloc(16 * sizeof *numbers), *others = malloc(16 * sizeof *others);
  fill(numbers, 16);
  free(others);
  free(numbers);
  puts("done");
  return 0;
}
