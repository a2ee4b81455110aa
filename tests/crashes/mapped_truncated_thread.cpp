/* expect: mapped-file-truncated strong
   not: out-of-bounds shared-memory-full disk-full use-after-free
   ends: SIGBUS
   build: -O2
   says: shard-00\.rec

   Another process rewrites the file while a second thread copies from it; the
   descriptor is long closed and the fault is in libc's memcpy. */
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

constexpr long bytes = 3 << 20;
static char copy[bytes];

__attribute__((noipa)) int load(const char *mapped) {
    std::memcpy(copy, mapped, bytes);
    return copy[bytes - 1];
}

int main() {
    int file = open("shard-00.rec", O_RDWR | O_CREAT, 0600);
    if (ftruncate(file, bytes)) return 1;
    auto *mapped = static_cast<char *>(
        mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, file, 0));
    close(file);
    if (fork() == 0) _exit(open("shard-00.rec", O_WRONLY | O_TRUNC) < 0);
    wait(nullptr);
    std::thread(load, mapped).join();
}
