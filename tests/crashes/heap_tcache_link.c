/* expect: heap-corruption|use-after-free strong
   not: null-pointer invalid-free
   ends: SIGABRT
   build: -O2 -fno-builtin

   A counter in a freed block is incremented, which is the allocator's link by
   now: "malloc(): unaligned tcache chunk detected" two allocations later. */
#include <stdlib.h>

struct Counter { long hits; long misses; };

__attribute__((noipa)) static void hit(struct Counter *c) { c->hits += 3; }

int main(void) {
    struct Counter *first = malloc(sizeof *first);
    struct Counter *second = malloc(sizeof *second);
    free(first);
    free(second);
    hit(second);
    first = malloc(sizeof *first);
    second = malloc(sizeof *second);
    return first == second;
}
