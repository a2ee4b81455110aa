/* expect: killed-by-user strong
   not: killed-by-process time-limit
   ends: SIGINT
   needs: pty

   Ctrl-C at a terminal: the kernel's line discipline sends SIGINT, there is no
   sender. The program makes the terminal itself and types on it. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int main(void) {
    int keyboard = posix_openpt(O_RDWR | O_NOCTTY);
    if (keyboard < 0 || grantpt(keyboard) || unlockpt(keyboard)) return 77;
    if (getsid(0) != getpid()) return 77;
    if (open(ptsname(keyboard), O_RDWR) < 0) return 77;
    if (write(keyboard, "\003", 1) != 1) return 77;
    for (;;) pause();
}
