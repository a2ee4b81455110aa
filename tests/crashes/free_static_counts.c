/* expect: invalid-free proven
   not: heap-corruption
   looks-like: heap-corruption
   ends: SIGABRT
   build: -O2
   says: static variable

   A table of the program is given to free(), by a function that does nothing
   else. The 7 in front of it is taken for a header: glibc says "munmap_chunk():
   invalid pointer", as it does of a damaged heap. */
#include <stdlib.h>

__attribute__((aligned(16))) static long defaults[16] = {7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7};

__attribute__((noipa)) static void release(long *shape) { free(shape); }

int main(void) {
    release(defaults + 2);
    return (int)defaults[1];
}
