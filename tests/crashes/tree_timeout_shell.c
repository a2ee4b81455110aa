/* expect: time-limit strong
   not: killed-by-process killed-by-user
   ends: exit 124
   says: sleep

   A script that hands on the status of timeout(1): the one that was ended is two
   processes below. */
#include <unistd.h>

int main(void) {
    execlp("sh", "sh", "-c", "timeout 0.3 sleep 60; status=$?; exit $status", (char *)0);
    return 1;
}
