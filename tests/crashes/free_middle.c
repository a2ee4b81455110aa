/* expect: invalid-free strong
   not: use-after-free
   looks-like: heap-corruption
   ends: SIGABRT
   build: -O2
   says: trim_and_free

   The pointer was moved past the spaces before it was freed: it points into the
   middle of a live block. In a second thread, whose arena is another. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

__attribute__((noipa)) static int trim_and_free(char *text) {
    while (*text == ' ') text++;
    free(text);
    return 0;
}

static void *work(void *unused) {
    char *text = malloc(64);
    strcpy(text, "     trimmed");
    trim_and_free(text);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    return pthread_join(thread, NULL);
}
