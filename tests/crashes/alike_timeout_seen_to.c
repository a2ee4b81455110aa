/* expect: none|unknown strong
   looks-like: time-limit
   ends: exit 3

   timeout(1) ended its child, and the script has seen to that: it ends for a
   reason of its own. */
#include <unistd.h>

int main(void) {
    execlp("sh", "sh", "-c", "timeout 0.3 sleep 60; exit 3", (char *)0);
    return 1;
}
