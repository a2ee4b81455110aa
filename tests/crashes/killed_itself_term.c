/* expect: killed-by-process|unknown weak
   not: killed-by-user time-limit failed-check
   ends: SIGTERM
   says: leave

   raise(SIGTERM): the sender is the program itself, nobody else is to blame. */
#include <signal.h>

static void leave(void) { raise(SIGTERM); }

int main(void) {
    leave();
    return 0;
}
