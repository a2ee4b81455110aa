/* expect: time-limit strong
   looks-like: out-of-memory-killed
   not: killed-by-process killed-by-user
   ends: SIGKILL

   Soft and hard CPU limit are the same: the kernel sends SIGKILL without any
   SIGXCPU before it. */
#include <sys/resource.h>

int main(void) {
    struct rlimit limit = {1, 1};
    setrlimit(RLIMIT_CPU, &limit);
    for (volatile long step = 0;; step++) {}
}
