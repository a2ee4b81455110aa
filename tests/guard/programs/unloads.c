// Allocates in a library, unloads it, and reads behind the block: unloads LIBRARY.
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  void* library = dlopen(argv[1], RTLD_NOW);
  char* (*make)(void) = dlsym(library, "alpha_make");
  char* p = make();
  free(malloc(10));
  dlclose(library);
  volatile char sink = p[64];
  return sink;
}
