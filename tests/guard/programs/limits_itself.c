// Limits its own addresses after the start, then needs some: a thread's stack, a mapping, many small blocks.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

static void* nothing(void* p) { return p; }

int main(void) {
  for (int i = 0; i < 1000; ++i) free(malloc(i));
  struct rlimit limit = {2ul << 30, 2ul << 30};
  if (setrlimit(RLIMIT_AS, &limit)) return 1;
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i)
    if (pthread_create(&threads[i], NULL, nothing, NULL)) return 2;
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
  if (mmap(NULL, 500 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED) return 3;
  char* kept[2000];
  for (int i = 0; i < 20000; ++i) {
    char** at = &kept[i % 2000];
    if (i >= 2000) free(*at);
    if (!(*at = malloc(i % 50 ? 300 : 200000))) return 4;
    memset(*at, i, 300);
  }
  puts("fine");
}
