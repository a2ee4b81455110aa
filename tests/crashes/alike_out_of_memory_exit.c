/* expect: failed-check|out-of-memory-refused|resource-limit|unknown weak
   looks-like: heap-corruption
   not: null-pointer
   ends: SIGABRT
   says: xmalloc

   An allocation is refused, the program notices and gives up by abort():
   malloc is on nobody's stack and the heap is sound. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

static void *xmalloc(size_t bytes) {
    void *block = malloc(bytes);
    if (!block) {
        fprintf(stderr, "virtual memory exhausted\n");
        abort();
    }
    return block;
}

int main(void) {
    struct rlimit limit = {100u << 20, 100u << 20};
    setrlimit(RLIMIT_AS, &limit);
    return xmalloc(300u << 20) == NULL;
}
