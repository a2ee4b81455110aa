/* expect: failed-check strong
   not: uncaught-cpp-exception heap-corruption
   ends: SIGABRT
   build: -O2
   says: Non-OK-status|must be positive

   A status check of TensorFlow's kind, optimised and in a second thread: the
   message lies in the heap, reachable from the aborting thread's stack. */
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

__attribute__((noipa)) void log_fatal(const std::string &message) {
    std::string line = "2026-11-15 12:00:00.000000: F kernel.cc:77] " + message;
    std::fprintf(stderr, "%s\n", line.c_str());
    std::abort();
}

__attribute__((noipa)) void allocate(long elements) {
    if (elements <= 0)
        log_fatal("Non-OK-status: shape.SetDim(0) status: INVALID_ARGUMENT: "
                  "dimension must be positive, got "
                  + std::to_string(elements));
}

int main() { std::thread(allocate, -5L).join(); }
