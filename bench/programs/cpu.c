// Arithmetic and nothing else: no system call between start and end.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  const uint64_t rounds = 1000000000ull * (argc > 1 ? (uint64_t)atoi(argv[1]) : 1);
  uint64_t x = 88172645463325252ull;
  for (uint64_t i = 0; i < rounds; i++) {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
  }
  printf("%llu\n", (unsigned long long)x);
  return 0;
}
