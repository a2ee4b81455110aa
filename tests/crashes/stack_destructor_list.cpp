/* expect: stack-overflow strong
   not: null-pointer use-after-free invalid-free
   looks-like: heap-corruption
   ends: SIGSEGV
   build: -O2
   says: Node

   A list of a million unique_ptr nodes is freed by recursion of destructors;
   the top frame may be inside free(), which suggests a damaged heap. */
#include <memory>

struct Node {
    std::unique_ptr<Node> next;
    long value = 0;
    ~Node() { value = -1; }
};

int main() {
    std::unique_ptr<Node> head;
    for (int i = 0; i < 1'000'000; i++) {
        auto node = std::make_unique<Node>();
        node->next = std::move(head);
        head = std::move(node);
    }
    head.reset();
}
