/* expect: invalid-free strong
   not: null-pointer
   looks-like: heap-corruption
   ends: SIGABRT
   says: release

   The same small block twice in a row: glibc finds it in the thread's cache. */
#include <stdlib.h>

struct Buffer { char *bytes; };

static void release(struct Buffer *buffer) { free(buffer->bytes); }

int main(void) {
    struct Buffer buffer = {malloc(100)};
    struct Buffer copy = buffer;
    release(&buffer);
    release(&copy);
    return 0;
}
