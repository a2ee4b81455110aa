/* expect: stack-smashed strong
   not: failed-check heap-corruption out-of-bounds
   ends: SIGABRT
   build: -O2 -fstack-protector-strong
   says: pack

   A loop with one element too many, optimised, in a second thread. */
#include <thread>

__attribute__((noipa)) int pack(const int *values, int count) {
    int packed[8];
    for (volatile int i = 0; i < count; i++) packed[i] = values[i % 8] << 1;
    return packed[count % 8];
}

int main() {
    int values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    std::thread worker([&] { pack(values, 12); });
    worker.join();
}
