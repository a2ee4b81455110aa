// confirm: malloc-perturb refuted
#include <stdio.h>
#include <stdlib.h>

struct table {
  long loaded;
  long* rows;
};

int main(void) {
  struct table* t = calloc(1, sizeof *t);
  t->rows = (long*)0x123456000l;
  if (!t->loaded) printf("%ld\n", t->rows[0]);
  return 0;
}
