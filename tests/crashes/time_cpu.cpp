/* expect: time-limit strong
   not: killed-by-process killed-by-user
   ends: SIGXCPU
   build: -O2
   limit: cpu=1
   says: iterate

   ulimit -t 1: the kernel sends SIGXCPU after one second of CPU time, spent in
   two threads. */
#include <thread>

__attribute__((noipa)) double iterate(double x) {
    for (;;) x = 3.7 * x * (1 - x);
}

int main() {
    std::thread other(iterate, 0.3);
    iterate(0.4);
}
