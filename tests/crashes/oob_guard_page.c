/* expect: out-of-bounds strong
   looks-like: write-to-read-only
   not: null-pointer
   ends: SIGSEGV
   build: -O2
   says: store_rows

   The array ends at an inaccessible page: a write there is refused like one to
   read-only memory (SEGV_ACCERR), but the page cannot be read either. */
#include <sys/mman.h>
#include <unistd.h>

__attribute__((noipa)) static void store_rows(char *rows, long count) {
    for (long i = 0; i < count; i++) rows[i] = (char)i;
}

int main(void) {
    long page = sysconf(_SC_PAGESIZE);
    char *rows = mmap(0, 5 * page, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(rows + 4 * page, page, PROT_NONE);
    store_rows(rows, 4 * page + 1);
    return 0;
}
