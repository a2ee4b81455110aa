/* expect: write-to-read-only strong
   not: null-pointer out-of-bounds wild-pointer
   ends: SIGSEGV
   says: set_option

   A page of settings was frozen by mprotect after start-up and is written once
   more. */
#include <string.h>
#include <sys/mman.h>

struct Options { int verbose; char name[60]; };
static struct Options *options;

static void set_option(int verbose) { options[3].verbose = verbose; }

int main(void) {
    options = mmap(0, 4096, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    set_option(1);
    mprotect(options, 4096, PROT_READ);
    set_option(2);
    return 0;
}
