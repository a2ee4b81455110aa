/* expect: killed-by-user|unknown weak
   not: killed-by-process time-limit
   ends: SIGHUP
   needs: pty

   The terminal goes away (the window is closed, the line drops): the kernel
   sends SIGHUP. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int main(void) {
    int line = posix_openpt(O_RDWR | O_NOCTTY);
    if (line < 0 || grantpt(line) || unlockpt(line)) return 77;
    if (getsid(0) != getpid()) return 77;
    if (open(ptsname(line), O_RDWR) < 0) return 77;
    close(line);
    for (;;) pause();
}
