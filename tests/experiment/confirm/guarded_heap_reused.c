// confirm: guarded-heap confirmed use-after-free proven
// from: command
// says: first_layer
// Freed long ago: so many blocks of the same size came and went that one of those has had its place. The first run
// names that one; only where places are not used again is it the one that the pointer was to.
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static long* first_layer(void) { return malloc(100); }
__attribute__((noinline)) static void* temporary(void) { return malloc(100); }

int main(void) {
  long* volatile weights = first_layer();
  weights[7] = 1;
  free(weights);
  for (int i = 0; i < 140000; ++i) {
    char* volatile block = temporary();
    block[i % 100] = 1;
    free(block);
  }
  printf("%d\n", weights[7] == 1);
  return 0;
}
