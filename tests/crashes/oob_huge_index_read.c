/* expect: out-of-bounds strong
   not: null-pointer use-after-free
   ends: SIGSEGV
   build: -O2
   says: lookup

   The base register holds a live heap block, the index register the caller's
   own number: 500,000,000. */
#include <stdio.h>
#include <stdlib.h>

__attribute__((noipa)) static int lookup(const int *table, long index) {
    return table[index];
}

int main(void) {
    int *table = calloc(1000, sizeof *table);
    printf("%d\n", lookup(table, 999));
    printf("%d\n", lookup(table, 500000000));
    return 0;
}
