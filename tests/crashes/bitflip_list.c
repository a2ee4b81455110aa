/* expect: bit-flip|wild-pointer|heap-corruption|unknown weak
   at-most: strong
   looks-like: null-pointer
   not: use-after-free out-of-bounds
   ends: SIGSEGV
   says: sum

   One bit of one link changes: the pointer differs from a live node's address
   in bit 41 alone. Plausible as a memory error, never proven by one death. */
#include <stdint.h>
#include <stdlib.h>

struct Node { long value; struct Node *next; };

static long sum(const struct Node *node) {
    long total = 0;
    for (; node; node = node->next) total += node->value;
    return total;
}

int main(void) {
    struct Node *nodes[100];
    for (int i = 0; i < 100; i++) {
        nodes[i] = malloc(sizeof **nodes);
        nodes[i]->value = i;
        nodes[i]->next = i ? nodes[i - 1] : NULL;
    }
    *(uintptr_t *)&nodes[50]->next ^= 1UL << 41;
    return (int)sum(nodes[99]);
}
