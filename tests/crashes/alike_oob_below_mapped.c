/* expect: unknown|wild-pointer|use-after-free weak
   looks-like: out-of-bounds
   not: out-of-bounds null-pointer
   ends: SIGSEGV
   says: pixel

   Just as far below memory, but among the mappings: it was mapped and given
   back. */
#include <sys/mman.h>

__attribute__((noipa)) static float pixel(const float *at) { return *at; }

int main(void) {
    const unsigned long size = 12UL << 30;
    char *all = mmap(0, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    mprotect(all, 4096, PROT_READ | PROT_WRITE);
    munmap(all + 4096, size - 4096);
    return (int)pixel((float *)(all + (3UL << 30)));
}
