/* expect: heap-corruption strong
   at-most: strong
   not: null-pointer use-after-free
   looks-like: invalid-free
   ends: SIGABRT

   A freed block's size is damaged by its lower neighbour; the merge at the next
   free finds "corrupted size vs. prev_size". */
#include <stdlib.h>
#include <string.h>

static void write_row(char *row, int bytes) { memset(row, 0, bytes); }

int main(void) {
    char *low = malloc(2040), *middle = malloc(2040), *high = malloc(2040);
    char *tail = malloc(40);
    free(middle);
    write_row(low, 2040 + 16);
    free(high);
    return tail[0];
}
