/* expect: shared-memory-full strong
   looks-like: mapped-file-truncated
   not: out-of-bounds null-pointer out-of-memory-killed
   ends: SIGBUS
   needs: root
   says: publish

   /dev/shm holds 1 MiB, the object is 8 MiB long: growing it is allowed, the
   first page without room kills. The small /dev/shm is in a mount namespace of
   the program's own and goes with it. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <unistd.h>

static void publish(char *batch, long bytes) { memset(batch, 7, bytes); }

int main(void) {
    if (unshare(CLONE_NEWNS) || mount(0, "/", 0, MS_REC | MS_PRIVATE, 0) ||
        mount("shm", "/dev/shm", "tmpfs", 0, "size=1m"))
        return 77;
    int shared = shm_open("/batch-queue", O_RDWR | O_CREAT, 0600);
    if (ftruncate(shared, 8 << 20)) return 1;
    char *batch = mmap(0, 8 << 20, PROT_READ | PROT_WRITE, MAP_SHARED,
                       shared, 0);
    publish(batch, 8 << 20);
    return 0;
}
