// Built with -fsanitize=address: LeakSanitizer looks for lost blocks at exit.
// "leak" loses one, "clean" frees it, "overrun" writes behind it.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *volatile block;

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  block = malloc(77);
  puts("allocated");
  if (!strcmp(what, "overrun")) block[77] = 1;
  if (strcmp(what, "leak")) free(block);
  block = NULL;
  return 0;
}
