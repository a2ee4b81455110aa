/* expect: null-pointer strong
   looks-like: stack-overflow
   ends: SIGSEGV
   says: visit

   30,000 frames of one function, and the leaf reads through null with most of
   the stack still free. Depth alone is no stack overflow. */
#include <stddef.h>

struct Node { struct Node *child; int value; };

static int visit(const struct Node *node, int depth) {
    if (depth == 30000) return node->child->value;
    return visit(node, depth + 1) + 1;
}

int main(void) {
    struct Node root = {NULL, 1};
    return visit(&root, 0);
}
