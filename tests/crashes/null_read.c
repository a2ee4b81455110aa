/* expect: null-pointer strong
   not: wild-pointer out-of-bounds bad-jump
   ends: SIGSEGV
   says: total_of

   The plainest one: a lookup finds nothing and its result is read at +8. */
#include <stdio.h>
#include <string.h>

struct Account { const char *owner; long cents; };
static struct Account accounts[] = {{"ada", 100}, {"bob", 250}};

static struct Account *find(const char *owner) {
    for (int i = 0; i < 2; i++)
        if (!strcmp(accounts[i].owner, owner)) return &accounts[i];
    return NULL;
}

static long total_of(const char *owner) { return find(owner)->cents; }

int main(void) {
    printf("%ld\n", total_of("ada"));
    printf("%ld\n", total_of("eve"));
    return 0;
}
