/* expect: wild-pointer plausible
   looks-like: use-after-free
   not: use-after-free null-pointer
   ends: SIGSEGV
   build: -O2

   The same access, but the object is alive: a random number of the program's
   own stands where the pointer should be. */
#include <stdlib.h>

struct column {
    unsigned long rows;
    double *values;
};

__attribute__((noipa)) static struct column *load(unsigned long key) {
    struct column *c = malloc(sizeof *c);
    c->rows = key;
    c->values = (double *)(key * 0x9e3779b97f4a7c15ul);
    return c;
}

__attribute__((noipa)) static double first(const struct column *c) { return c->values[0]; }

int main(void) { return first(load(0xb151c081)) > 0; }
