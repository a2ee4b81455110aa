/* expect: out-of-bounds strong
   not: use-after-free wild-pointer bit-flip
   ends: SIGSEGV
   says: field

   A table says how far before it its description lies, as in FlatBuffers; the
   number is garbage and still in a register. */
#include <stdlib.h>

__attribute__((noipa)) static int field(const unsigned short *description, const char *table, long back) {
    return *description + table[0] * (int)back;
}

int main(void) {
    char *table = calloc(1, 4000);
    const long back = 0x5a5a5a4e;
    return field((const unsigned short *)(table - back), table, back);
}
