/* expect: mapped-file-truncated strong
   looks-like: disk-full
   not: shared-memory-full
   ends: SIGBUS
   needs: root
   says: cache\.bin

   The same tiny file system as for a full disk, but nearly empty: here the file
   was cut. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
    mkdir("cache", 0700);
    if (unshare(CLONE_NEWNS) || mount(0, "/", 0, MS_REC | MS_PRIVATE, 0) ||
        mount("scratch", "cache", "tmpfs", 0, "size=1m"))
        return 77;
    int file = open("cache/cache.bin", O_RDWR | O_CREAT, 0600);
    if (ftruncate(file, 65536)) return 1;
    volatile char *cache = mmap(0, 65536, PROT_READ | PROT_WRITE, MAP_SHARED,
                                file, 0);
    cache[50000] = 1;
    if (ftruncate(file, 4096)) return 1;
    cache[50000] = 2;
    return 0;
}
