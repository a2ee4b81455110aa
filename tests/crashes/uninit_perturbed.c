/* expect: uninitialised-read plausible
   looks-like: null-pointer
   not: use-after-free
   ends: SIGSEGV
   env: MALLOC_PERTURB_=165
   says: send

   malloc'ed memory is used before it was filled. MALLOC_PERTURB_=165 makes new
   memory 0x5a: the pointer is 0x5a5a5a5a5a5a5a5a, not canonical. */
#include <stdlib.h>

struct Message { int kind; const char *body; char reserve[2000]; };

static int send(const struct Message *message) { return message->body[0]; }

int main(void) {
    struct Message *message = malloc(sizeof *message);
    message->kind = 1;
    return send(message);
}
