/* expect: invalid-free|use-after-free strong
   not: null-pointer out-of-bounds
   looks-like: heap-corruption wild-pointer
   ends: SIGSEGV
   says: discard

   A freed large block is unmapped; the second free reads its size in front of
   it and faults inside libc's free. No message, no abort. */
#include <stdlib.h>

static void discard(double *grid) { free(grid); }

int main(void) {
    double *grid = malloc(8 << 20);
    grid[0] = 1;
    discard(grid);
    discard(grid);
    return 0;
}
