/* expect: use-after-free proven
   block: 40 prepend
   ends: exit 0

   A list is freed node by node, and each node is asked for the next one after
   its free. The old bytes are still there without a guard. */
#include <stdio.h>
#include <stdlib.h>

struct Node { double weights[4]; struct Node *next; };

static struct Node *prepend(struct Node *head, double weight) {
    struct Node *node = calloc(1, sizeof *node);
    node->weights[0] = weight;
    node->next = head;
    return node;
}

static void drop_all(struct Node *node) {
#ifdef REPAIRED
    while (node) {
        struct Node *next = node->next;
        free(node);
        node = next;
    }
#else
    for (; node; node = node->next) free(node);
#endif
}

int main(void) {
    struct Node *head = NULL;
    for (int i = 0; i < 10; i++) head = prepend(head, i);
    drop_all(head);
    printf("dropped\n");
    return 0;
}
