/* expect: failed-check|unknown weak
   looks-like: uncaught-cpp-exception
   not: deadlock
   ends: SIGABRT

   A std::thread is destroyed while it still runs: terminate() without any
   exception. */
#include <thread>
#include <unistd.h>

void start_background(int gate) {
    std::thread worker([gate] {
        char byte;
        [[maybe_unused]] auto got = read(gate, &byte, 1);
    });
}

int main() {
    int gate[2];
    if (pipe(gate)) return 1;
    start_background(gate[0]);
}
