/* expect: invalid-free|heap-corruption strong
   not: null-pointer use-after-free
   ends: SIGABRT
   says: shut_down

   The last block of the heap was merged into the top when first freed: "double
   free or corruption (top)". */
#include <cstdlib>

static void *pool;

void shut_down() { std::free(pool); }

int main() {
    pool = std::malloc(5000);
    shut_down();
    shut_down();
}
