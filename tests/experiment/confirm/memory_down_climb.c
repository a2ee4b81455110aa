// confirm: memory-down confirmed memory-leak strong
// memory: 64
// long: it lives for seconds
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
  for (;;) {
    memset(malloc(1 << 20), 1, 1 << 20);
    usleep(30000);
  }
}
