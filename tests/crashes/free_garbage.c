/* expect: wild-pointer|invalid-free strong
   not: null-pointer use-after-free
   looks-like: null-pointer
   ends: SIGSEGV
   says: clean_up

   The freed pointer is ASCII text. free() reads the size in front of it, the
   address is not canonical and siginfo claims 0. */
#include <stdlib.h>
#include <string.h>

struct Record { char name[8]; char *comment; };

static void clean_up(struct Record *record) { free(record->comment); }

int main(void) {
    struct Record record = {"", NULL};
    memcpy(&record, "Christopher Col.", 16);
    clean_up(&record);
    return 0;
}
