/* expect: heap-corruption strong
   looks-like: invalid-free
   not: use-after-free null-pointer
   ends: SIGABRT
   build: -O2 -fno-builtin

   A large block has a mapping of its own, outside of any heap. Its header was
   overwritten by a write just in front of it: the pointer is a good one. */
#include <stdlib.h>

__attribute__((noipa)) static void label(long *labels, long index, long value) {
    labels[index] = value;
}

int main(void) {
    long *labels = malloc(1 << 20);
    label(labels, -1, 0x101010);
    free(labels);
    return 0;
}
