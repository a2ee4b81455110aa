/* expect: use-after-free plausible
   looks-like: out-of-bounds
   not: null-pointer wild-pointer
   ends: SIGSEGV
   build: -O1
   says: grow

   realloc moved a large block; an old pointer to it reads a few bytes behind its
   start, right behind a mapping that is in use. */
#include <stdlib.h>
#include <string.h>

__attribute__((noipa)) static int grow(char *old, char *other) {
    char *grown = realloc(old, 300000000);
    grown[0] = other[0];
    return *(volatile char *)(old + 5);
}

int main(void) {
    char *block = malloc(300000), *other = malloc(200000);
    memset(block, 1, 300000);
    memset(other, 2, 200000);
    return grow(block, other);
}
