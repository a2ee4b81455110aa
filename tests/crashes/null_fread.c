/* expect: null-pointer strong
   not: wild-pointer out-of-bounds mapped-file-truncated
   ends: SIGSEGV
   build: -O2
   says: read_header

   The file does not exist, fopen gave null, and libc's fread reads from it. */
#include <stdio.h>

__attribute__((noinline)) static int read_header(const char *path) {
    char magic[16];
    FILE *file = fopen(path, "rb");
    size_t got = fread(magic, 1, sizeof magic, file);
    fclose(file);
    return (int)got;
}

int main(void) { return read_header("model-that-is-not-there.bin"); }
