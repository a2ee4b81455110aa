/* expect: heap-corruption strong
   at-most: strong
   looks-like: invalid-free
   not: null-pointer use-after-free
   ends: SIGABRT

   "munmap_chunk(): invalid pointer" for a pointer that malloc did return: its
   size field was overwritten with ones by the block below. */
#include <stdlib.h>
#include <string.h>

static void mark(unsigned char *flags, int count) { memset(flags, 255, count); }

int main(void) {
    unsigned char *flags = malloc(72), *names = malloc(72);
    mark(flags, 88);
    free(names);
    free(flags);
    return 0;
}
