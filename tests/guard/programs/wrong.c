// One wrong access or one wrong call, chosen by name: wrong NAME [BYTES [ALIGNMENT]].
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile char sink;
static size_t bytes = 48;

__attribute__((noinline)) char* make(void) { return malloc(bytes); }
__attribute__((noinline)) void drop(char* p) { free(p); }

int main(int argc, char** argv) {
  const char* what = argv[1];
  if (argc > 2) bytes = strtoul(argv[2], 0, 0);
  char* p = make();
  if (argc > 3 && posix_memalign((void**)&p, strtoul(argv[3], 0, 0), bytes)) return 3;
  size_t slack = -(uintptr_t)(p + bytes) & 4095;
  if (!strcmp(what, "read-behind")) sink = p[bytes + slack];
  if (!strcmp(what, "write-behind")) p[bytes + slack] = 1;
  if (!strcmp(what, "write-in-front")) p[-1] = 1;
  if (!strcmp(what, "read-freed")) drop(p), sink = p[0];
  if (!strcmp(what, "write-freed-later")) {
    drop(p);
    for (int i = 0; i < 1000; ++i) free(make());
    p[bytes / 2] = 1;
  }
  if (!strcmp(what, "write-slack")) p[bytes] = 0x55, drop(p);
  if (!strcmp(what, "write-slack-in-front")) p[-3] = 0x55, drop(p);
  if (!strcmp(what, "write-slack-kept")) p[bytes] = 0x55;
  if (!strcmp(what, "free-twice")) drop(p), drop(p);
  if (!strcmp(what, "free-inside")) drop(p + 16);
  if (!strcmp(what, "realloc-freed")) drop(p), p = realloc(p, 100);
  if (!strcmp(what, "uninitialised")) abort();
  if (!strcmp(what, "in-child")) {
    int status = 0, signals = 0;
    char* freed = make();
    drop(freed);
    for (int i = 0; i < 2; ++i) {
      if (fork() == 0) sink = i ? freed[0] : p[bytes + slack], _exit(0);
      wait(&status);
      signals += WTERMSIG(status);
    }
    return signals;
  }
  if (!strcmp(what, "write-grown")) {
    p = malloc(bytes = 6 << 20);
    p = realloc(p, bytes += 5000);
    p = realloc(p, bytes += 5000);
    slack = -(uintptr_t)(p + bytes) & 4095;
    p[bytes + slack] = 1;
  }
  if (!strcmp(what, "many")) {
    for (int i = 0; i < 40000; ++i) *(volatile char*)malloc(i % 100 ? 10 : 300000) = 1;
    abort();
  }
  if (!strcmp(what, "abort")) abort();
  puts("went on");
  return 0;
}
