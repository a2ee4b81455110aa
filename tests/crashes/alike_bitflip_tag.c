/* expect: wild-pointer|unknown weak
   looks-like: bit-flip null-pointer
   not: use-after-free
   ends: SIGSEGV
   says: load

   Pointers carry a mark in bit 60 on purpose, and one reader forgets to mask
   it: one bit away from a live block, like all the others. */
#include <stdint.h>
#include <stdlib.h>

static uintptr_t table[64];

static int load(int index) { return *(int *)table[index]; }

int main(void) {
    for (int i = 0; i < 64; i++)
        table[i] = (uintptr_t)calloc(1, 64) | 1UL << 60;
    return load(17);
}
