/* expect: out-of-bounds strong
   looks-like: write-to-read-only
   not: null-pointer wild-pointer
   ends: SIGSEGV
   build: -O1
   says: clear_scores

   Behind the scores lies a page that was frozen by mprotect, and the loop runs
   into it: the pointer to the scores is still there to be seen. */
#include <sys/mman.h>
#include <unistd.h>

__attribute__((noipa)) static void clear_scores(float *scores, long count) {
    for (long i = 0; i < count; i++) scores[i] = (float)i;
}

int main(void) {
    long page = sysconf(_SC_PAGESIZE);
    char *area = mmap(0, 9 * page, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(area + 8 * page, page, PROT_READ);
    clear_scores((float *)area, 8 * page / 4 + 20);
    return 0;
}
