/* expect: out-of-bounds strong
   not: null-pointer use-after-free
   ends: SIGSEGV
   build: -O2 -fno-builtin
   says: add_up

   A large array has a mapping of its own, and the one above it is gone: the
   sum of 64 elements too many faults exactly where the mapping ends. */
#include <cstdio>
#include <cstdlib>

__attribute__((noipa)) double add_up(const double *values, long count) {
    double sum = 0;
    for (long i = 0; i < count; i++) sum += values[i];
    return sum;
}

int main() {
    void *above = std::malloc(4 << 20);
    constexpr long count = (1 << 20) / 8 - 3;  // fills its pages to the end
    double *values = static_cast<double *>(std::calloc(count, sizeof(double)));
    std::free(above);
    std::printf("%f\n", add_up(values, count));
    std::printf("%f\n", add_up(values, count + 64));
}
