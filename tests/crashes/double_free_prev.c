/* expect: invalid-free|heap-corruption strong
   not: null-pointer use-after-free
   ends: SIGABRT
   build: -O2 -fno-builtin
   says: close_table

   A medium block with a neighbour behind it: "double free or corruption
   (!prev)". */
#include <stdlib.h>

__attribute__((noipa)) static int close_table(void *table) {
    free(table);
    return 0;
}

int main(void) {
    void *table = malloc(3000), *behind = malloc(3000);
    close_table(table);
    close_table(table);
    return behind == 0;
}
