/* expect: heap-corruption strong
   looks-like: invalid-free
   not: use-after-free null-pointer
   ends: SIGABRT
   build: -O0
   says: (?i)free\(\): invalid pointer

   "free(): invalid pointer" of a pointer that malloc did return: a loop that
   begins one too early has overwritten the size in front of it. */
#include <stdlib.h>

int main(void) {
    long *steps[8], count = 40;
    for (int i = 0; i < 8; i++) steps[i] = malloc((count + i) * sizeof *steps[i]);
    long *shifted = malloc(count * sizeof *shifted);
    for (long i = 0; i < count; i++) shifted[i - 1] = i;
    free(shifted);
    free(steps[0]);
    return 0;
}
