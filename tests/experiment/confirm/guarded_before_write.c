// confirm: guarded-before confirmed out-of-bounds proven
// One element before the start of a block: the size of the block itself is written over.
#include <stdio.h>
#include <stdlib.h>

static long* volatile numbers;

int main(void) {
  numbers = malloc(15 * sizeof *numbers);
  for (int i = 3; i >= -1; --i) ((volatile long*)numbers)[i] = -1;
  free(numbers);
  puts("done");
  return 0;
}
