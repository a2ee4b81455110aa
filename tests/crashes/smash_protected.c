/* expect: stack-smashed strong
   not: failed-check heap-corruption
   ends: SIGABRT
   build: -fstack-protector-all
   says: read_name

   strcpy over a local array; the function notices when it returns. */
#include <string.h>

static int read_name(const char *input) {
    char name[16];
    strcpy(name, input);
    return name[3];
}

int main(void) { return read_name("a name much longer than sixteen bytes"); }
