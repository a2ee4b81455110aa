/* expect: resource-limit strong
   not: disk-full mapped-file-truncated killed-by-process
   ends: SIGXFSZ
   build: -O2
   limit: fsize=1000000

   The limit was set by the shell (ulimit -f) and is met by ftruncate in a
   second thread; nothing was written yet. The limit rules sigwhy as well. */
#include <fcntl.h>
#include <thread>
#include <unistd.h>

__attribute__((noipa)) int reserve(int file, long bytes) {
    return ftruncate(file, bytes);
}

int main() {
    int file = open("checkpoint.bin", O_RDWR | O_CREAT, 0600);
    std::thread([file] { reserve(file, 50 << 20); }).join();
}
