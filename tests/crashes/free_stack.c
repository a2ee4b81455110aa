/* expect: invalid-free strong
   not: use-after-free stack-smashed
   looks-like: heap-corruption
   ends: SIGABRT
   says: close_all

   free() of a local array: glibc only says "invalid pointer", the freed
   address in the stack says the rest. */
#include <stdlib.h>
#include <string.h>

static void close_all(char *buffer) { free(buffer); }

int main(void) {
    char buffer[256];
    memset(buffer, 0, sizeof buffer);
    close_all(buffer + 64);
    return buffer[0];
}
