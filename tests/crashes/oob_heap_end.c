/* expect: out-of-bounds strong
   not: null-pointer write-to-read-only wild-pointer
   ends: SIGSEGV
   says: fill

   A linear overrun from a small block runs through the whole heap and faults
   on the first byte behind it. */
#include <stdlib.h>

static void fill(int *cells, long count) {
    for (long i = 0; i < count; i++) cells[i] = -1;
}

int main(void) {
    int *cells = malloc(100 * sizeof *cells);
    fill(cells, 100L * 1000 * 1000);
    return cells[0];
}
