/* expect: heap-corruption|wild-pointer plausible
   at-most: strong
   looks-like: null-pointer
   not: use-after-free
   ends: SIGSEGV
   lib-build: -O2
   says: registry_sum

   The program overran its block long ago and left; an innocent library later
   follows a pointer of its own that is now text. */
#include <stdlib.h>
#include <string.h>

void *registry_add(void *head, long value);
long registry_sum(void *head);

static void greet(char *line) { strcpy(line, "Dear Sir or Madam, we write to"
    " tell you that your line was too long for us."); }

int main(void) {
    void *registry = registry_add(NULL, 1);
    char *line = malloc(24);
    registry = registry_add(registry, 2);
    greet(line);
    return (int)registry_sum(registry);
}
