/* expect: wild-pointer|unknown weak
   looks-like: out-of-bounds
   not: out-of-bounds null-pointer
   ends: SIGSEGV
   says: total

   A count of the program's own is used as a pointer. */
#include <stdlib.h>

static long total(const long *row) { return row[0]; }

int main(void) {
    volatile unsigned long count = 43;
    return (int)total((const long *)count);
}
