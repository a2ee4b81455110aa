// confirm: memory-up confirmed out-of-memory-killed proven
// fix: tested
// memory: 48
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
  usleep(200000);  // killed at once it would leave no evidence of its group
  for (int i = 0; i < 64; ++i) memset(malloc(1 << 20), 1, 1 << 20);
  puts("done");
  return 0;
}
