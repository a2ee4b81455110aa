/* expect: wild-pointer plausible
   not: null-pointer use-after-free
   ends: SIGSEGV
   build: -O2
   says: first_of

   A pointer went through an int and came back as its lower half, sign-extended:
   the classic undeclared function. */
#include <stdint.h>
#include <stdlib.h>

__attribute__((noipa)) static int make_table(int cells) {
    return (int)(intptr_t)calloc(cells, sizeof(int));
}

__attribute__((noipa)) static int first_of(const int *table) {
    return table[0];
}

int main(void) { return first_of((const int *)(intptr_t)make_table(100)); }
