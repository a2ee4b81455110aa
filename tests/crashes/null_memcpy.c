/* expect: null-pointer strong
   not: out-of-bounds wild-pointer
   ends: SIGSEGV
   build: -O2
   says: keep_row

   The fault is inside libc's vector memcpy; the null source came from here. */
#include <stdlib.h>
#include <string.h>

static char kept[1 << 16];

__attribute__((noinline)) static int keep_row(const char *row, size_t bytes) {
    memcpy(kept, row, bytes);
    return kept[bytes / 2];
}

int main(int argc, char **argv) {
    const char *row = argc > 1 ? argv[1] : NULL;
    return keep_row(row, 3000 + (size_t)argc);
}
