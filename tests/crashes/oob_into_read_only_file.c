/* expect: out-of-bounds strong
   looks-like: write-to-read-only
   not: null-pointer mapped-file-truncated
   ends: SIGSEGV
   build: -O2
   says: clear_scores

   Directly behind the array lies somebody's read-only file mapping. The write
   is refused there, at its very first byte: the fault is the overrun. */
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

__attribute__((noipa)) static void clear_scores(float *scores, long count) {
    for (long i = 0; i < count; i++) scores[i] = 1.0f;
}

int main(void) {
    long page = sysconf(_SC_PAGESIZE);
    char *area = mmap(0, 9 * page, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int file = open("weights.bin", O_RDWR | O_CREAT, 0600);
    if (ftruncate(file, page)) return 1;
    mmap(area + 8 * page, page, PROT_READ, MAP_SHARED | MAP_FIXED, file, 0);
    clear_scores((float *)area, 8 * page / 4 + 20);
    return 0;
}
