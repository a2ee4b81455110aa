/* expect: out-of-bounds strong
   not: null-pointer
   ends: SIGSEGV
   build: -O2 -fno-builtin
   says: reset

   The size is multiplied by sizeof twice: memset goes on behind the mapping of
   a large block. */
#include <cstdlib>
#include <cstring>

struct Mask { double *cells; std::size_t bytes; };

__attribute__((noipa)) bool reset(Mask &mask) {
    std::memset(mask.cells, 0, mask.bytes * sizeof(double));
    return mask.cells[0] == 0;
}

int main() {
    void *above = std::malloc(64 << 20);
    Mask mask{nullptr, 2 << 20};
    mask.cells = static_cast<double *>(std::malloc(mask.bytes));
    std::free(above);
    return reset(mask);
}
