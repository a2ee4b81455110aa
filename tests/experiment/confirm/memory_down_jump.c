// confirm: memory-down refuted
// memory: 64
// long: it lives for seconds
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char* volatile all;

int main(void) {
  usleep(1500000);
  all = malloc(256 << 20);
  memset(all, 1, 256 << 20);
  return 0;
}
