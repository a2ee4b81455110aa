/* expect: out-of-bounds plausible
   at-most: plausible
   not: null-pointer use-after-free
   ends: SIGSEGV
   says: total

   There are three rows, and the fourth pointer is what malloc keeps between two
   blocks: the size of the next. */
#include <stdlib.h>

static long total(long **rows, int count) {
    long sum = 0;
    for (int i = 0; i < count; i++) sum += rows[i][0];
    return sum;
}

int main(void) {
    long **rows = malloc(3 * sizeof *rows);
    for (int i = 0; i < 3; i++) {
        rows[i] = malloc(40);
        rows[i][0] = i;
    }
    return (int)total(rows, 4);
}
