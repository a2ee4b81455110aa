/* expect: failed-check|unknown weak
   looks-like: stack-smashed
   ends: SIGABRT
   says: verdict

   A checker prints the famous words itself and aborts. libc's own detector is
   not on the stack. */
#include <stdio.h>
#include <stdlib.h>

static void verdict(int bad) {
    if (!bad) return;
    fputs("*** stack smashing detected ***: terminated\n", stderr);
    abort();
}

int main(int argc, char **argv) {
    verdict(argc);
    return 0;
}
