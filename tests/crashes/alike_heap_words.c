/* expect: failed-check|unknown weak
   looks-like: heap-corruption invalid-free
   ends: SIGABRT
   says: fail

   The program prints glibc's words itself (it replays a log) and aborts for a
   reason of its own. The allocator said nothing. */
#include <stdio.h>
#include <stdlib.h>

static void fail(const char *line) {
    fprintf(stderr, "%s\n", line);
    abort();
}

int main(void) {
    fail("double free or corruption (fasttop)");
    return 0;
}
