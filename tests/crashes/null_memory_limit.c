/* expect: null-pointer|out-of-memory-refused|resource-limit strong
   not: out-of-bounds wild-pointer heap-corruption
   ends: SIGSEGV
   says: make_grid

   malloc returned null because the address space is limited to 200 MB; nobody
   looked. How it died is a null pointer, why is the refused allocation. */
#include <stdlib.h>
#include <sys/resource.h>

static double *make_grid(size_t cells) {
    double *grid = malloc(cells * sizeof *grid);
    for (size_t i = 0; i < cells; i++) grid[i] = 1.0;
    return grid;
}

int main(void) {
    struct rlimit limit = {200u << 20, 200u << 20};
    setrlimit(RLIMIT_AS, &limit);
    double *grid = make_grid(40u << 20);
    return grid[7] > 0;
}
