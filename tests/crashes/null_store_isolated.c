/* expect: null-pointer strong
   looks-like: deliberate-trap
   ends: SIGSEGV
   build: -O2

   The compiler sees that the pointer is null and emits a store to absolute
   address 0 followed by ud2: no base register at all, and a trap that was never
   reached. */
#include <stdlib.h>

struct Settings { int depth, width; };

int main(int argc, char **argv) {
    struct Settings *settings = NULL;
    if (argc > 100) settings = NULL;
    settings->width = argc;
    return settings->width;
}
