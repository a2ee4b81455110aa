/* expect: resource-limit strong
   ends: SIGABRT
   build: -pthread
   tasks: 100
   says: may have 100 of them \(pids\.max\) and has 100

   "Resource temporarily unavailable" in a container that may have 100 threads.
   limit_threads.cpp says the same of an address space that is too small. */
#include <list>
#include <thread>
#include <unistd.h>

int main() {
    int gate[2];
    if (pipe(gate)) return 1;
    std::list<std::thread> pool;
    for (int i = 0; i < 200; i++)
        pool.emplace_back([&] {
            char byte;
            [[maybe_unused]] auto got = read(gate[0], &byte, 1);
        });
}
