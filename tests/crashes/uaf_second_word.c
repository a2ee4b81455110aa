/* expect: use-after-free strong
   looks-like: wild-pointer
   not: null-pointer heap-corruption
   ends: SIGSEGV
   build: -O2
   says: mark of a freed block

   The object's second word is its pointer. malloc has written its own mark
   there when the object was freed, a number that is no address. */
#include <stdlib.h>

struct column {
    long rows;
    double *values;
};

__attribute__((noipa)) static struct column *load(long rows) {
    struct column *c = malloc(sizeof *c);
    c->rows = rows;
    c->values = calloc((size_t)rows, sizeof(double));
    return c;
}

__attribute__((noipa)) static void close_column(struct column *c) { free(c); }
__attribute__((noipa)) static double first(const struct column *c) { return c->values[0]; }

int main(void) {
    struct column *c = load(100);
    close_column(c);
    return first(c) > 0;
}
