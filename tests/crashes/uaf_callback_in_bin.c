/* expect: use-after-free|bad-jump plausible
   not: null-pointer unsupported-instruction
   ends: SIGSEGV
   build: -O1
   says: finish

   A freed medium block goes to the unsorted bin: its first word, the callback,
   now points into the allocator's own data inside libc, which is not code. */
#include <stdlib.h>

struct Request { int (*done)(int); char body[2000]; };

__attribute__((noipa)) static int succeed(int code) { return code; }

__attribute__((noipa)) static int finish(struct Request *request) {
    return request->done(0) + 1;
}

int main(void) {
    struct Request *request = malloc(sizeof *request);
    void *neighbour = malloc(64);
    request->done = succeed;
    finish(request);
    free(request);
    finish(request);
    return neighbour == 0;
}
