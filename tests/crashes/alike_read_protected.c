/* expect: unknown|wild-pointer|out-of-bounds|use-after-free weak
   at-most: strong
   looks-like: write-to-read-only
   not: null-pointer
   ends: SIGSEGV
   says: peek

   A *read* of a page that was made inaccessible: SEGV_ACCERR as for a write to
   read-only memory, and nothing was written. */
#include <string.h>
#include <sys/mman.h>

static int peek(const int *slab) { return slab[100]; }

int main(void) {
    int *slab = mmap(0, 1 << 20, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memset(slab, 1, 1 << 20);
    mprotect(slab, 1 << 20, PROT_NONE);
    return peek(slab);
}
