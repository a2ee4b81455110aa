/* expect: uncaught-cpp-exception strong
   not: failed-check
   ends: SIGABRT
   says: cannot move
   says: swap_tables

   An exception meets a noexcept function: main would have caught it, but it
   never gets there. */
#include <cstdio>
#include <stdexcept>

void move_table() { throw std::logic_error("cannot move"); }

void swap_tables() noexcept { move_table(); }

int main() {
    try {
        swap_tables();
    } catch (const std::exception &error) {
        std::puts(error.what());
    }
}
