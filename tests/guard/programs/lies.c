// Where blocks lie to each other, in pages.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  char* before = malloc(100);
  for (int i = 0; i < 20; ++i) {
    char* next = malloc(i % 2 ? 100 : 400000);
    printf("%ld ", ((intptr_t)next >> 12) - ((intptr_t)before >> 12));
    before = next;
  }
}
