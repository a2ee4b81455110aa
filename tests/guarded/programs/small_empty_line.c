/* expect: out-of-bounds|heap-corruption proven
   block: 64 read_line
   ends: exit 0

   Cutting the newline off an empty line writes to line[-1]. It happens to be a
   byte of the allocator's size that is zero anyway, so nothing ever breaks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_line(FILE *file) {
    char *line = malloc(64);
    line[0] = '\0';
    if (!fgets(line, 64, file)) line[0] = '\0';
    return line;
}

static void cut_newline(char *line) {
#ifdef REPAIRED
    if (line[0] == '\0') return;
#endif
    line[strlen(line) - 1] = '\0';
}

int main(void) {
    char *line = read_line(stdin);
    cut_newline(line);
    printf("[%s]\n", line);
    free(line);
    return 0;
}
