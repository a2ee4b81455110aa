/* expect: heap-corruption strong
   at-most: strong
   looks-like: invalid-free
   not: invalid-free null-pointer use-after-free
   ends: SIGSEGV
   build: -O2

   free() dies while it looks for another thread's heap, as for the middle of a
   block; but the pointer is the block's start, and its header was overwritten
   by the block below. */
#include <stdlib.h>

__attribute__((noipa)) static void fill(long *counts, int number) {
    for (int i = 0; i < number; i++) counts[i] = 100;
}

int main(void) {
    long *counts = malloc(9 * sizeof *counts), *names = malloc(200);
    fill(names, 25);
    fill(counts, 10);
    free(names);
    free(counts);
    return 0;
}
