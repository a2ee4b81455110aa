/* leaks ROUNDS: every round loses one block of 3 MiB and uses another for a while; one that is kept for good comes from
 * the same place as those. Ends by abort(). */
#include <stdlib.h>
#include <string.h>

enum { lost_bytes = 3 << 20, used_bytes = 2500000 };

static char* volatile lost;
static char* volatile kept;

__attribute__((noinline)) static char* made(void) {
  char* p = malloc(used_bytes);
  for (int i = 0; i < 16; ++i) memset(p, i, used_bytes);  // the guard's share is one of the time that the program works
  return p;
}

__attribute__((noinline)) static void lose(void) { lost = malloc(lost_bytes); }

int main(int count, char** words) {
  kept = made();
  for (int i = 0; i < atoi(words[1]); ++i) {
    lose();
    free(made());
  }
  abort();
}
