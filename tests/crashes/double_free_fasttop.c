/* expect: invalid-free strong
   not: null-pointer use-after-free
   ends: SIGABRT
   build: -O2 -fno-builtin
   says: drop_twice

   With the thread's cache full the block goes to a fast bin, where the second
   free is found as "double free or corruption (fasttop)": here the freed
   address proves the first half of that message. */
#include <stdlib.h>

__attribute__((noipa)) static int drop_twice(void *block) {
    free(block);
    free(block);
    return 0;
}

int main(void) {
    void *blocks[8];
    for (int i = 0; i < 8; i++) blocks[i] = malloc(24);
    for (int i = 0; i < 7; i++) free(blocks[i]);
    drop_twice(blocks[7]);
    return 0;
}
