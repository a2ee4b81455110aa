/* expect: killed-by-user strong
   not: killed-by-process failed-check deadlock
   ends: SIGQUIT
   needs: pty

   Ctrl-\ at a terminal: SIGQUIT from the kernel, to a busy program with two
   threads. */
#include <cstdlib>
#include <fcntl.h>
#include <thread>
#include <unistd.h>

int main() {
    int keyboard = posix_openpt(O_RDWR | O_NOCTTY);
    if (keyboard < 0 || grantpt(keyboard) || unlockpt(keyboard)) return 77;
    if (getsid(0) != getpid()) return 77;
    if (open(ptsname(keyboard), O_RDWR) < 0) return 77;
    std::thread typist([keyboard] {
        if (write(keyboard, "\034", 1) != 1) std::exit(77);
    });
    for (volatile long turns = 0;;) turns = turns + 1;
}
