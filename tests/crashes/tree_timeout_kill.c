/* expect: time-limit strong
   looks-like: out-of-memory-killed
   not: killed-by-process killed-by-user
   ends: SIGKILL
   needs: root
   says: sleep

   timeout(1) that kills: it then ends itself by the same signal. The one that
   was ended is the child. */
#include <unistd.h>

int main(void) {
    execlp("timeout", "timeout", "-s", "KILL", "0.3", "sleep", "60", (char *)0);
    return 1;
}
