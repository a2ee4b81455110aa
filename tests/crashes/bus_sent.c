/* expect: killed-by-process strong
   looks-like: mapped-file-truncated shared-memory-full
   ends: SIGBUS

   SIGBUS sent by another process while a shortened file is mapped: the signal
   has a sender and no address. */
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void) {
    int file = open("shortened.bin", O_RDWR | O_CREAT, 0600);
    if (ftruncate(file, 8192)) return 1;
    mmap(0, 8192, PROT_READ, MAP_SHARED, file, 0);
    if (ftruncate(file, 0)) return 1;
    if (fork() == 0) {
        kill(getppid(), SIGBUS);
        _exit(0);
    }
    for (;;) pause();
}
