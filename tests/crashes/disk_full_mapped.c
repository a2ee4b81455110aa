/* expect: disk-full strong
   looks-like: mapped-file-truncated shared-memory-full
   not: out-of-bounds
   ends: SIGBUS
   needs: root
   says: result\.bin

   A sparse file on a file system with 1 MiB of room, written through a mapping:
   the write that finds no room has no way to say so but SIGBUS. The file is as
   long as the mapping. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

static void save(double *cells, long count) {
    for (long i = 0; i < count; i++) cells[i] = i;
}

int main(void) {
    mkdir("results", 0700);
    if (unshare(CLONE_NEWNS) || mount(0, "/", 0, MS_REC | MS_PRIVATE, 0) ||
        mount("scratch", "results", "tmpfs", 0, "size=1m"))
        return 77;
    int file = open("results/result.bin", O_RDWR | O_CREAT, 0600);
    if (ftruncate(file, 4 << 20)) return 1;
    double *cells = mmap(0, 4 << 20, PROT_READ | PROT_WRITE, MAP_SHARED,
                         file, 0);
    save(cells, (4 << 20) / 8);
    return 0;
}
