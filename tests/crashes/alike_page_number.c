/* expect: wild-pointer|unknown weak
   looks-like: use-after-free
   not: null-pointer
   ends: SIGSEGV
   says: first_byte

   A page number (address >> 12) is used as an address. It is exactly what a
   freed block's safe-linked word looks like, but the block is alive. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uintptr_t page_of(const void *block) { return (uintptr_t)block >> 12; }

static int first_byte(uintptr_t page) { return *(const char *)page; }

int main(void) {
    char *block = malloc(64);
    block[0] = 1;
    uintptr_t page = page_of(block);
    printf("%d\n", first_byte(page));
    return block[0];
}
