// 200,000 live blocks, and their end.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { count = 200000 };
static char* blocks[count];

int main(void) {
  long sum = 0;
  for (int i = 0; i < count; ++i) {
    size_t n = i % 1000 ? 1 + i % 200 : 100000;
    blocks[i] = malloc(n);
    if (!blocks[i]) return 3;
    memset(blocks[i], i, n);
  }
  for (int i = 0; i < count; ++i) sum += (unsigned char)blocks[i][0];
  for (int i = 0; i < count; i += 2) blocks[i] = realloc(blocks[i], 300), sum += (unsigned char)blocks[i][0];
  for (int i = 0; i < count; ++i) free(blocks[i]);
  printf("%ld\n", sum);
}
