/* expect: invalid-free|heap-corruption strong
   not: null-pointer use-after-free
   ends: SIGABRT
   build: -O2 -fno-builtin
   says: close_table

   In a thread's own arena a merged block has lost the mark of that arena, so
   the second free looks for it in the main heap and says "double free or
   corruption (out)": the words that mostly stand for an overrun. */
#include <pthread.h>
#include <stdlib.h>

__attribute__((noipa)) static int close_table(void *table) {
    free(table);
    return 0;
}

static void *work(void *unused) {
    void *table = malloc(3000), *behind = malloc(3000);
    close_table(table);
    close_table(table);
    return behind;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    return pthread_join(thread, NULL);
}
