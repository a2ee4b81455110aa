/* expect: bad-jump|wild-pointer|unknown weak
   looks-like: null-pointer
   not: stack-smashed
   ends: SIGSEGV
   build: -O1

   longjmp with a buffer that setjmp never filled: stack and frame pointer are
   scrambled constants, though no stack was overwritten. */
#include <setjmp.h>
#include <stdlib.h>

struct Parser { int depth; jmp_buf recover; };

__attribute__((noipa)) static void fail(struct Parser *parser) {
    longjmp(parser->recover, 1);
}

int main(void) {
    struct Parser *parser = calloc(1, sizeof *parser);
    fail(parser);
    return 0;
}
