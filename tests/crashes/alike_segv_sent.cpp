/* expect: killed-by-process strong
   looks-like: null-pointer wild-pointer
   ends: SIGSEGV
   build: -O2

   SIGSEGV sent by kill(): siginfo's "address" is the sender's pid and user in
   disguise, and the instruction at hand is innocent. */
#include <csignal>
#include <unistd.h>

int main() {
    if (fork() == 0) {
        kill(getppid(), SIGSEGV);
        _exit(0);
    }
    for (;;) pause();
}
