/* expect: uncaught-cpp-exception strong
   not: failed-check
   ends: SIGABRT
   build: -O2
   says: training step failed

   In a second thread an error is wrapped by throw_with_nested; the outer one
   escapes the thread's function. */
#include <exception>
#include <stdexcept>
#include <thread>

void read_batch() { throw std::out_of_range("batch 12 of 10"); }

void step() {
    try {
        read_batch();
    } catch (...) {
        std::throw_with_nested(std::runtime_error("training step failed"));
    }
}

int main() { std::thread(step).join(); }
