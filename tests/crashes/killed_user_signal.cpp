/* expect: killed-by-process strong
   not: killed-by-user
   ends: SIGUSR1
   build: -O2
   says: USR1

   SIGUSR1 arrives before a handler is set: its default is to end the program.
   The fault is in no instruction. In a program with two threads. */
#include <csignal>
#include <thread>
#include <unistd.h>

int main() {
    std::thread worker([] {
        for (;;) pause();
    });
    if (fork() == 0) {
        kill(getppid(), SIGUSR1);
        _exit(0);
    }
    worker.join();
}
