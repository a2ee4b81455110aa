/* expect: killed-by-process strong
   looks-like: division-by-zero
   ends: SIGFPE

   Another process sends SIGFPE while this one is busy dividing by sound
   numbers. */
#include <csignal>
#include <unistd.h>

int main() {
    if (fork() == 0) {
        kill(getppid(), SIGFPE);
        _exit(0);
    }
    volatile long sum = 0, divisor = 3;
    for (long i = 1;; i++) sum = sum + i / divisor;
}
