/* expect: unknown weak
   looks-like: mapped-file-truncated shared-memory-full
   not: null-pointer out-of-bounds wild-pointer
   ends: SIGBUS

   With the alignment check flag set, an odd address in good memory gives
   SIGBUS, while a mapped file stands by as a false lead. */
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

static char bytes[64];

int main(void) {
    int file = open("lead.bin", O_RDWR | O_CREAT, 0600);
    if (ftruncate(file, 100)) return 1;
    volatile char *lead = mmap(0, 100, PROT_READ, MAP_SHARED, file, 0);
    int *odd = (int *)(bytes + 1);
    int value = lead[0];
    __asm__ volatile("pushfq\n orl $0x40000, (%%rsp)\n popfq\n"
                     "movl (%1), %0" : "=r"(value) : "r"(odd) : "memory");
    return value;
}
