/* expect: time-limit strong
   looks-like: killed-by-user
   not: deadlock out-of-memory-killed killed-by-process
   ends: exit 124

   timeout(1) ends its child with SIGTERM and leaves with 124: killed by its own
   parent, because of a time limit. */
#include <unistd.h>

int main(void) {
    execlp("timeout", "timeout", "0.3", "sleep", "60", (char *)0);
    return 1;
}
