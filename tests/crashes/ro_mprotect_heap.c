/* expect: write-to-read-only strong
   not: null-pointer out-of-bounds wild-pointer
   ends: SIGSEGV
   says: update

   Part of the heap was frozen by mprotect: it begins where the writable part
   ends, and the first write goes to its very first byte. */
#include <stdlib.h>
#include <sys/mman.h>

enum { count = 16384 };
static int *weights;

static void freeze(void) {
    weights = aligned_alloc(4096, count * sizeof *weights);
    for (int i = 0; i < count; i++) weights[i] = i;
    mprotect(weights, count * sizeof *weights, PROT_READ);
}

static void update(int step) {
    for (int i = 0; i < count; i++) weights[i] += step;
}

int main(void) {
    freeze();
    update(7);
    return 0;
}
