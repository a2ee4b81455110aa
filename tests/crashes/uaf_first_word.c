/* expect: use-after-free plausible
   not: null-pointer out-of-bounds
   looks-like: wild-pointer
   ends: SIGSEGV
   says: drain

   The list is freed while it is walked: the next pointer read from the freed
   node is the allocator's safe-linked word, its own address >> 12. */
#include <stdlib.h>

struct Node { struct Node *next; long value; };

static long drain(struct Node *list) {
    long sum = 0;
    for (struct Node *node = list; node; node = node->next) {
        sum += node->value;
        free(node);
    }
    return sum;
}

int main(void) {
    struct Node *list = NULL;
    for (int i = 0; i < 5; i++) {
        struct Node *node = malloc(sizeof *node);
        node->next = list;
        node->value = i;
        list = node;
    }
    return (int)drain(list);
}
