/* expect: out-of-bounds strong
   not: null-pointer
   ends: SIGSEGV
   build: -O2
   says: copy_record

   A length of -8 becomes 4,294,967,288: libc's memcpy runs off both blocks. */
#include <stdlib.h>
#include <string.h>

__attribute__((noipa)) static int copy_record(char *to, const char *from,
                                              unsigned bytes) {
    memcpy(to, from, bytes);
    return to[0];
}

int main(void) {
    char *from = calloc(1, 4096), *to = malloc(4096);
    int header = 64, total = 56;
    return copy_record(to, from, total - header);
}
