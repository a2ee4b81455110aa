/* expect: out-of-bounds strong
   not: write-to-read-only null-pointer
   looks-like: stack-overflow
   ends: SIGSEGV
   says: pad

   A thread's heap is an arena of its own whose unused rest is inaccessible:
   the overrun ends there with SEGV_ACCERR, near no stack. */
#include <cstdlib>
#include <thread>

static void pad(char *line, long width) {
    for (long i = 0; i < width; i++) line[i] = ' ';
}

int main() {
    std::thread worker([] {
        char *line = static_cast<char *>(std::malloc(200));
        pad(line, 40L << 20);
    });
    worker.join();
}
