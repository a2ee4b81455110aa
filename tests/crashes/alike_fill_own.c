/* expect: wild-pointer|unknown weak
   looks-like: uninitialised-read use-after-free null-pointer
   ends: SIGSEGV
   says: open_slot

   The program itself marks empty slots with 0xdd and forgets to look. The fill
   is that of a debug heap, but no debug heap is at work here. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct Slot { long key; const char *path; };
static struct Slot slots[32];

static int open_slot(int index) { return slots[index].path[0]; }

int main(void) {
    memset(slots, 0xdd, sizeof slots);
    slots[3].path = "a";
    printf("%d\n", open_slot(3));
    printf("%d\n", open_slot(4));
    return 0;
}
