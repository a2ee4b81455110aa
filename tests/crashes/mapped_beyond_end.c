/* expect: mapped-file-truncated strong
   looks-like: out-of-bounds
   not: null-pointer
   ends: SIGBUS
   build: -O2
   says: index\.db

   The mapping was always longer than the file (the size came from a header):
   nothing was cut, the file is just shorter than the access. */
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

__attribute__((noipa)) static long entry(const long *index, long number) {
    return index[number];
}

int main(void) {
    int file = open("index.db", O_RDWR | O_CREAT, 0600);
    if (write(file, "12345678", 8) != 8) return 1;
    const long *index = mmap(0, 1 << 20, PROT_READ, MAP_SHARED, file, 0);
    return (int)(entry(index, 0) + entry(index, 5000));
}
