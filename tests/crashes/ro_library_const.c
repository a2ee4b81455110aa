/* expect: write-to-read-only strong
   not: null-pointer out-of-bounds
   ends: SIGSEGV
   lib-build: -O2 -g0
   says: libro_library_const|version_text

   The library returns a pointer to its own constant text, the program cuts it
   off with a zero. */
#include <string.h>

char *version_text(void);

int main(void) {
    char *version = version_text();
    *strchr(version, '.') = 0;
    return version[0];
}
