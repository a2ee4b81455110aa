/* expect: heap-corruption strong
   at-most: strong
   not: null-pointer use-after-free
   looks-like: invalid-free
   ends: SIGABRT

   Only the letter differs from heap_next_size: an even one clears the "in use"
   bit, and glibc says "double free or corruption (!prev)". Nothing was freed
   twice. */
#include <stdlib.h>
#include <string.h>

static void set_title(char *title, const char *text) { strcpy(title, text); }

int main(void) {
    char *title = malloc(1400), *body = malloc(1400), *tail = malloc(64);
    char text[1500];
    memset(text, 'T', sizeof text);
    text[1420] = 0;
    set_title(title, text);
    free(title);
    free(body);
    return tail[0];
}
