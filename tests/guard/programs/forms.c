// Every form of allocation, and what the C library owes for each; prints what it saw, which must not depend on a guard.
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int zero(const char* p, size_t n) {
  for (size_t i = 0; i < n; ++i)
    if (p[i]) return 0;
  return 1;
}

static int holds(const char* p, size_t n) {
  for (size_t i = 0; i < n; ++i)
    if (p[i] != (char)(i * 7)) return 0;
  return 1;
}

static void write(char* p, size_t n) {
  for (size_t i = 0; i < n; ++i) p[i] = (char)(i * 7);
}

static void sizes(void) {
  for (size_t n = 0; n < 70000; n = n * 3 / 2 + 1) {
    char* p = malloc(n);
    char* q = calloc(n, 3);
    write(p, n);
    int ok = p && q && (uintptr_t)p % 16 == 0 && zero(q, n * 3) && holds(p, n) && malloc_usable_size(p) >= n;
    for (size_t m = n; m < n * 5; m = m * 2 + 1) p = realloc(p, m), ok &= p && holds(p, n), write(p, m), ok &= holds(p, m);
    p = realloc(p, n / 2 + 1);
    ok &= holds(p, n ? n / 2 + 1 : 0);
    printf("%zu %d\n", n, ok);
    free(p), free(q);
  }
}

static void aligned(void) {
  for (size_t a = 8; a <= 1 << 21; a *= 2) {
    void* p = 0;
    int rc = posix_memalign(&p, a, 1000);
    void* q = memalign(a, 77);
    void* r = aligned_alloc(a, a);
    printf("%zu %d %d %d %d\n", a, rc, (int)((uintptr_t)p % a), (int)((uintptr_t)q % a), (int)((uintptr_t)r % a));
    memset(p, 1, 1000), memset(q, 1, 77), memset(r, 1, a);
    p = realloc(p, 3000);
    printf("%d\n", ((char*)p)[999]);
    free(p), free(q), free(r);
  }
  void* v = valloc(10);
  void* w = pvalloc(10);
  printf("%d %d %d\n", (int)((uintptr_t)v % 4096), (int)((uintptr_t)w % 4096), malloc_usable_size(w) >= 4096);
  free(v), free(w);
}

static void refused(void) {
  volatile size_t huge = SIZE_MAX;
  void* got[] = {malloc(huge), calloc(huge, 2), malloc(huge / 2 - 100)};
  printf("%p %p %p %d\n", got[0], got[1], got[2], errno);
  char* p = malloc(10);
  strcpy(p, "kept");
  errno = 0;
  got[0] = realloc(p, huge / 2);
  printf("%p %d %s\n", got[0], errno, p);
  errno = 0;
  got[0] = reallocarray(p, huge / 2, 3);
  printf("%p %d %s\n", got[0], errno, p);
  void* out = (void*)1;
  errno = 5;
  printf("%d %d\n", posix_memalign(&out, 24, 10), posix_memalign(&out, 0, 10));
  printf("%d %p %d\n", posix_memalign(&out, 64, huge / 2), out, errno);
  errno = 77;
  free(p), free(malloc(5 << 20)), free(0);
  printf("%d\n", errno);
  printf("%p\n", realloc(malloc(10), 0));
  p = realloc(0, 10);
  printf("%d %zu\n", p != 0, malloc_usable_size(0));
  free(p);
}

int main(void) {
  sizes();
  aligned();
  refused();
  // large, by mappings of their own
  char* p = malloc(100);
  for (size_t n = 1 << 20; n <= 64 << 20; n *= 2) p = realloc(p, n), p[n - 1] = 1, p[0] = 2;
  printf("%d %d\n", p[0], p[(1 << 20) - 1]);
  free(p);
  // a buffer that grows in small steps
  size_t size = 5 << 20;
  p = malloc(size);
  for (int i = 0; i < 300; ++i) {
    p = realloc(p, size + 1000 + 333 * i);
    memset(p + size, i, 1000 + 333 * i);
    size += 1000 + 333 * i;
  }
  long sum = 0;
  for (size_t i = 5 << 20; i < size; ++i) sum += p[i];
  printf("%zu %ld\n", size, sum);
  free(p);
}
