// confirm: guarded-heap refuted use-after-free plausible
// Memory of its own mapping, given back: it looks like a freed block and never was one.
#include <stdio.h>
#include <sys/mman.h>

static long* volatile kept;

int main(void) {
  char* map = mmap(0, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  kept = (long*)(map + 16);
  munmap(map, 1 << 20);
  printf("%ld\n", *kept);
  return 0;
}
