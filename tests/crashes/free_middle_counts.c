/* expect: invalid-free strong
   not: heap-corruption use-after-free null-pointer
   looks-like: heap-corruption
   ends: SIGSEGV
   build: -O2
   says: middle of a block

   The cursor is freed instead of the start. In front of it stands a count that
   says "of another thread's heap" when it is taken for a header: free() dies
   while it looks for that heap. */
#include <stdlib.h>

__attribute__((noipa)) static long *after_zeros(long *counts) {
    while (*counts == 0) counts++;
    return counts;
}

int main(void) {
    long *counts = calloc(400, sizeof *counts);
    for (int i = 9; i < 400; i++) counts[i] = 100;
    long *cursor = after_zeros(counts) + 3;
    free(cursor);
    return 0;
}
