/* expect: null-pointer strong
   not: out-of-bounds wild-pointer
   looks-like: wild-pointer
   ends: SIGSEGV
   build: -O2

   A null table with a large index faults at 200,000,000, far from address 0: a
   tool that calls only small addresses null gets it wrong. */
#include <stdio.h>
#include <stdlib.h>

__attribute__((noipa)) static float gather(const float *table, long index) {
    return table[index];
}

int main(int argc, char **argv) {
    const float *table = NULL;
    printf("%f\n", gather(table, 50000000L * argc));
    return 0;
}
