/* expect: null-pointer strong
   looks-like: use-after-free
   build: -O1 -g -fno-pie -no-pie
   ends: SIGSEGV

   A program at a fixed address has megabytes of nothing between null and its first page, as an unmapped block would
   leave; a member at 16 lies in it as malloc's large blocks start in theirs. */
#include <stdio.h>
#include <string.h>

struct layer { long rows, columns; char name[32]; };

__attribute__((noinline)) static size_t name_length(const struct layer *layer) { return strlen(layer->name); }

int main(int argc, char **argv) {
    (void)argv;
    printf("%zu\n", name_length(argc > 5 ? (struct layer *)argv : NULL));
    return 0;
}
