/* expect: uncaught-cpp-exception|resource-limit|out-of-memory-refused strong
   not: failed-check null-pointer deadlock
   ends: SIGABRT
   says: system_error|Resource temporarily unavailable

   Under a small address-space limit a thread's stack cannot be made: the
   message says "Resource temporarily unavailable" and means the limit. */
#include <list>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

int main() {
    rlimit limit{150 << 20, 150 << 20};
    setrlimit(RLIMIT_AS, &limit);
    int gate[2];
    if (pipe(gate)) return 1;
    std::list<std::thread> pool;
    for (int i = 0; i < 64; i++)
        pool.emplace_back([&] {
            char byte;
            [[maybe_unused]] auto got = read(gate[0], &byte, 1);
        });
}
