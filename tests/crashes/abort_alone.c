/* expect: failed-check|unknown weak
   not: heap-corruption uncaught-cpp-exception killed-by-process
   ends: SIGABRT
   says: give_up

   abort() without a word. That the program ended itself is certain; why is not
   written anywhere. */
#include <stdlib.h>

static void give_up(int attempts) {
    if (attempts > 3) abort();
}

int main(void) {
    give_up(4);
    return 0;
}
