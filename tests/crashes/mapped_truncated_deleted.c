/* expect: mapped-file-truncated strong
   not: out-of-bounds shared-memory-full disk-full
   ends: SIGBUS
   says: spill

   A temporary file that has no name any more is cut by its owner: its size can
   be asked only through the process. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void) {
    int spill = open("spill.tmp", O_RDWR | O_CREAT, 0600);
    unlink("spill.tmp");
    if (ftruncate(spill, 40960)) return 1;
    volatile char *page = mmap(0, 40960, PROT_READ | PROT_WRITE, MAP_SHARED,
                               spill, 0);
    page[40000] = 1;
    if (ftruncate(spill, 0)) return 1;
    page[20000] = 2;
    return 0;
}
