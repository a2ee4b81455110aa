// confirm: malloc-perturb confirmed uninitialised-read strong
// A field that nobody sets: fresh memory happens to be zero, which says "not loaded yet".
#include <stdio.h>
#include <stdlib.h>

struct table {
  long loaded;
  long* rows;
};

int main(void) {
  struct table* t = malloc(sizeof *t);
  t->rows = (long*)0x123456000l;
  if (!t->loaded) printf("%ld\n", t->rows[0]);
  puts("done");
  return 0;
}
