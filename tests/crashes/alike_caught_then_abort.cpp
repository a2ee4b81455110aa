/* expect: failed-check|unknown weak
   looks-like: uncaught-cpp-exception
   ends: SIGABRT
   says: main

   The exception *was* caught: the handler prints it and calls abort() on
   purpose. terminate() is nowhere on the stack. */
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

void connect() { throw std::runtime_error("host unreachable"); }

int main() {
    try {
        connect();
    } catch (const std::exception &error) {
        std::fprintf(stderr, "fatal: %s\n", error.what());
        std::abort();
    }
}
