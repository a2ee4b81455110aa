/* expect: wild-pointer plausible
   looks-like: null-pointer
   not: null-pointer
   ends: SIGSEGV
   build: -O2
   says: the number 3

   The caller was built with an older header, in which the count comes where the
   pointer is now: 3 is taken for an address. */
#include <stdlib.h>

struct old_options {
    long threads;
    long devices;
};
struct options {
    long threads;
    const long *weights;
};

__attribute__((noipa)) static long run(const struct options *o) { return o->threads * *o->weights; }
__attribute__((noipa)) static void *make(long devices) {
    struct old_options *o = malloc(sizeof *o);
    o->threads = 2;
    o->devices = devices;
    return o;
}

int main(void) { return (int)run(make(3)); }
