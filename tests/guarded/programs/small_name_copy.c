/* expect: out-of-bounds proven
   block: 32 keep_name
   ends: exit 0

   Room for a name without room for its final zero: one byte too far, and the
   name is just as long as the block. glibc rounds up, so nothing happens. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef REPAIRED
#define ROOM(name) (strlen(name) + 1)
#else
#define ROOM(name) strlen(name)
#endif

static char *keep_name(const char *name) {
    char *kept = malloc(ROOM(name));
    return strcpy(kept, name);
}

int main(void) {
    char *name = keep_name("dense_12/kernel/momentum_average");
    printf("%s\n", name);
    free(name);
    return 0;
}
