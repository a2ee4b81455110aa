// The allocator asked for by the C library's own handle, as ctypes does it; and RTLD_NEXT, which goes by who asks.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  void* libc = dlopen("libc.so.6", RTLD_NOW);
  void (*release)(void*) = dlsym(libc, "free");
  void* (*grow)(void*, size_t) = dlsym(libc, "realloc");
  void* (*make)(size_t) = dlvsym(libc, "malloc", "GLIBC_2.2.5");
  size_t (*usable)(void*) = dlsym(libc, "malloc_usable_size");
  int unlike = 0;
  for (int i = 1; i < 2000; ++i) {
    char* p = strdup("some words, and some more of them");
    unlike += usable(p) != malloc_usable_size(p);
    release(grow(p, 100 * (i % 7) + 1));
    free(make(i));
  }
  printf("unlike %d\n", unlike);
  printf("strlen %d\n", dlsym(RTLD_NEXT, "strlen") != NULL && dlsym(RTLD_DEFAULT, "strlen") != NULL);
  printf("main is %s ours\n", dlsym(RTLD_NEXT, "main") == (void*)main ? "next to" : "not after");
  printf("nothing %p\n", dlsym(libc, "no_such_function"));
  puts(dlerror() ? "and told why" : "and not told");
  printf("close %d\n", dlclose(libc));
}
