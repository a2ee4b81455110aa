/* expect: null-pointer strong
   not: wild-pointer out-of-bounds
   ends: SIGSEGV
   says: cache_path

   strlen of an unset variable: the top frame is a hand-written vector routine
   of libc without arguments in any debug information. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t cache_path(char *out, size_t room) {
    const char *base = getenv("CRASH_CACHE_DIR_NOT_SET");
    size_t length = strlen(base);
    snprintf(out, room, "%s/cache", base);
    return length;
}

int main(void) {
    char path[256];
    return (int)cache_path(path, sizeof path);
}
