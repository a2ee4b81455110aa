// confirm: memory-up refuted
// memory: 48
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
  usleep(200000);  // killed at once it would leave no evidence of its group
  for (;;) memset(malloc(1 << 20), 1, 1 << 20);
}
