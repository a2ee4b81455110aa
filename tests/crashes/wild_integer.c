/* expect: wild-pointer plausible
   looks-like: null-pointer
   not: out-of-bounds use-after-free
   ends: SIGSEGV
   says: show

   A time stamp was stored where a pointer belongs: 0x6553f100 is no offset from
   null. */
#include <stdint.h>
#include <stdio.h>

union Field { uint64_t number; const char *text; };

static int show(const union Field *field) { return field->text[0]; }

int main(void) {
    union Field stamp = {.number = 1700000000};
    printf("%c\n", show(&stamp));
    return 0;
}
