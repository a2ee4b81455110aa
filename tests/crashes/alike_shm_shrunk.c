/* expect: mapped-file-truncated strong
   looks-like: shared-memory-full
   not: disk-full out-of-bounds
   ends: SIGBUS

   Shared memory with plenty of room left: its owner made it smaller. A SIGBUS
   in /dev/shm is not always a full /dev/shm. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void) {
    char name[64];
    snprintf(name, sizeof name, "/crash-shrunk-%d", getpid());
    int shared = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
    shm_unlink(name);
    if (ftruncate(shared, 65536)) return 1;
    volatile char *queue = mmap(0, 65536, PROT_READ | PROT_WRITE, MAP_SHARED,
                                shared, 0);
    queue[60000] = 1;
    if (ftruncate(shared, 4096)) return 1;
    return queue[60000];
}
