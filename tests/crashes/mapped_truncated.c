/* expect: mapped-file-truncated strong
   not: null-pointer out-of-bounds shared-memory-full disk-full
   ends: SIGBUS
   says: samples\.bin
   says: checksum

   A file is mapped, cut short in place, and read where it used to be. */
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

static int checksum(const unsigned char *bytes, long count) {
    int sum = 0;
    for (long i = 0; i < count; i++) sum += bytes[i];
    return sum;
}

int main(void) {
    int file = open("samples.bin", O_RDWR | O_CREAT, 0600);
    if (ftruncate(file, 50000)) return 1;
    unsigned char *bytes = mmap(0, 50000, PROT_READ, MAP_SHARED, file, 0);
    checksum(bytes, 50000);
    if (ftruncate(file, 10000)) return 1;
    return checksum(bytes, 50000);
}
