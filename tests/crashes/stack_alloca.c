/* expect: stack-overflow strong
   not: null-pointer wild-pointer out-of-bounds
   ends: SIGSEGV
   says: sort_copy

   alloca() of 64 MB in one shallow frame: no recursion, and the stack pointer
   is far below the stack's bottom. */
#include <alloca.h>
#include <string.h>

__attribute__((noinline)) static int sort_copy(const char *data, long bytes) {
    char *copy = alloca(bytes);
    memset(copy, data[0], 64);
    return copy[1];
}

int main(void) { return sort_copy("x", 64L << 20); }
