// Pages of large aligned blocks protected, unmapped or mapped over by the program, which the C library does not mind:
// it unmaps them when they are freed. The same places are asked for again and again.
#define _GNU_SOURCE
#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static size_t bytes = 200704;

static char* make(int round) {
  char* p = NULL;
  if (posix_memalign((void**)&p, 4096, bytes - (round % 2 ? 704 : 0))) exit(1);
  memset(p, round, bytes - 704);
  return p;
}

int main(void) {
  mallopt(M_MMAP_THRESHOLD, 100000);
  int file = memfd_create("words", 0), sum = 0;
  ftruncate(file, bytes);
  for (int round = 0; round < 3000; ++round) {
    char* p = make(round);
    if (round % 5 == 1) mprotect(p, bytes, PROT_READ);
    if (round % 5 == 2) mprotect(p, bytes, PROT_NONE);
    if (round % 5 == 3) munmap(p + 8192, 16384);
    if (round % 5 == 4) mmap(p, 8192, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0);
    free(p);
    char* zeros = calloc(1, 30000);
    for (int i = 0; i < 30000; ++i) sum += zeros[i];
    free(zeros);
  }
  char word[16] = {0};
  pread(file, word, 15, 0);
  printf("%d %d\n", sum, memcmp(word, "\0\0\0\0\0\0\0\0", 8));
}
