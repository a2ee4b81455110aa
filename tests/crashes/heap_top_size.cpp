/* expect: heap-corruption strong
   at-most: strong
   not: invalid-free null-pointer out-of-memory-refused
   ends: SIGABRT
   build: -O2

   The last block is overrun into the rest of the heap; an unrelated allocation
   later says "malloc(): corrupted top size". */
#include <cstdlib>
#include <cstring>

__attribute__((noipa)) void draw(char *canvas, std::size_t bytes) {
    std::memset(canvas, 0xff, bytes);
}

__attribute__((noipa)) void *innocent(std::size_t bytes) {
    return std::malloc(bytes);
}

int main() {
    char *canvas = static_cast<char *>(std::malloc(2000));
    draw(canvas, 2048);
    return innocent(5000) == nullptr;
}
