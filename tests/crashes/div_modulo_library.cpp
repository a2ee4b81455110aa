/* expect: division-by-zero strong
   not: null-pointer
   ends: SIGFPE
   lib-build: -O2 -g0
   says: bucket_of

   64-bit unsigned modulo by an empty table's size, in an optimised library
   without debug information. */
#include <cstdio>

extern "C" unsigned long bucket_of(unsigned long hash, unsigned long buckets);

int main() {
    std::printf("%lu\n", bucket_of(0x9e3779b97f4a7c15, 16));
    std::printf("%lu\n", bucket_of(0x9e3779b97f4a7c15, 0));
}
