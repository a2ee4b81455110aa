/* expect: none
   looks-like: stack-overflow
   ends: exit 0

   The stack overflow is expected: a handler on its own stack jumps back and the
   program goes on with a smaller problem. Nothing may be said. */
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>

static sigjmp_buf again;

static void give_up_depth(int signal) { siglongjmp(again, 1); }

static int search(int depth) {
    volatile char room[1000] = {0};
    return depth ? search(depth - 1) + room[depth % 1000] : 0;
}

int main(void) {
    stack_t alternate = {.ss_sp = malloc(65536), .ss_size = 65536};
    sigaltstack(&alternate, NULL);
    struct sigaction action = {.sa_handler = give_up_depth,
                               .sa_flags = SA_ONSTACK};
    sigaction(SIGSEGV, &action, NULL);
    return sigsetjmp(again, 1) ? search(10) : search(10000000);
}
