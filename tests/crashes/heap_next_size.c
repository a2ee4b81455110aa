/* expect: heap-corruption strong
   at-most: strong
   not: null-pointer use-after-free
   looks-like: invalid-free
   ends: SIGABRT
   says: (?i)invalid next size

   Text runs over the end of one block into the size of the next; the free of
   the first one finds it. The freed pointer itself is right. */
#include <stdlib.h>
#include <string.h>

static void set_title(char *title, const char *text) { strcpy(title, text); }

int main(void) {
    char *title = malloc(1400), *body = malloc(1400), *tail = malloc(64);
    char text[1500];
    memset(text, 'Q', sizeof text);
    text[1420] = 0;
    set_title(title, text);
    free(title);
    free(body);
    return tail[0];
}
