/* expect: write-to-read-only strong
   looks-like: bad-jump
   not: null-pointer
   ends: SIGSEGV
   says: hook

   A hand-made hook writes a jump into a function without making its page
   writable. Code is written, not run, at the fault. */
#include <stdint.h>
#include <string.h>

int twice(int value) { return 2 * value; }

static void hook(void *function, void *target) {
    uint8_t jump[5] = {0xe9};
    int32_t distance = (int32_t)((char *)target - (char *)function - 5);
    memcpy(jump + 1, &distance, 4);
    for (int i = 0; i < 5; i++) ((volatile uint8_t *)function)[i] = jump[i];
}

int main(void) {
    hook(twice, main);
    return twice(2);
}
