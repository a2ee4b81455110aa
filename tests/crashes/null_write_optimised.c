/* expect: null-pointer strong
   not: wild-pointer out-of-bounds write-to-read-only
   ends: SIGSEGV
   build: -O2 -g0
   says: append_to

   A write, optimised and without debug information: the field offset is in the
   instruction and the base register is zero. */
#include <stdlib.h>

struct List { long length, room; long *items; };

__attribute__((noinline)) static void append_to(struct List *list, long item) {
    list->items[list->length++] = item;
}

__attribute__((noinline)) static struct List *make_list(long room) {
    return room > 1000 ? NULL : calloc(1, sizeof(struct List));
}

int main(int argc, char **argv) {
    struct List *list = make_list(1000L * argc + 1);
    append_to(list, argc);
    return (int)list->length;
}
