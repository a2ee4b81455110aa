/* expect: none
   looks-like: null-pointer
   ends: exit 0

   A child crashes, the parent does not mind and ends well: nothing to
   report. */
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    if (fork() == 0) _exit(*(volatile int *)0);
    wait(0);
    return 0;
}
