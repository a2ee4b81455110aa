/* expect: heap-corruption strong
   at-most: strong
   not: null-pointer use-after-free
   looks-like: invalid-free
   ends: SIGABRT
   says: grow

   realloc() finds the neighbour's size broken: "realloc(): invalid next size".
   In a second thread. */
#include <cstdlib>
#include <cstring>
#include <thread>

char *grow(char *text, std::size_t bytes) {
    return static_cast<char *>(std::realloc(text, bytes));
}

int main() {
    std::thread([] {
        char *text = static_cast<char *>(std::malloc(1500));
        std::memset(text, 'x', 1520);
        text = grow(text, 9000);
        std::free(text);
    }).join();
}
