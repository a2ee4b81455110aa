/* expect: failed-check strong
   not: uncaught-cpp-exception heap-corruption
   ends: SIGABRT
   lib-build: -O2
   says: rank == 2
   says: reshape

   The failed assertion is in an optimised library, in a second thread. */
#include <thread>

void reshape(int rank);

int main() { std::thread(reshape, 3).join(); }
