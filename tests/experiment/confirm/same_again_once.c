// confirm: same-again refuted
// It dies only where it was never run before.
#include <stdio.h>
#include <unistd.h>

int main(void) {
  if (access("been_here", F_OK) == 0) return 0;
  fclose(fopen("been_here", "w"));
  return *(volatile int*)0x123456000l;
}
