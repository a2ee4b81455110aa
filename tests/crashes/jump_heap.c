/* expect: bad-jump strong
   looks-like: unsupported-instruction
   not: null-pointer write-to-read-only
   ends: SIGSEGV
   says: call_compiled

   A just-in-time compiler forgot to make its page executable: the fault is at
   the instruction pointer itself, in the heap. */
#include <stdlib.h>
#include <string.h>

static int call_compiled(int (*code)(void)) { return code() + 1; }

int main(void) {
    const unsigned char body[] = {0xb8, 7, 0, 0, 0, 0xc3};
    void *code = malloc(64);
    memcpy(code, body, sizeof body);
    return call_compiled((int (*)(void))code);
}
