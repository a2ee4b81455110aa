/* expect: stack-overflow strong
   not: null-pointer wild-pointer out-of-bounds
   looks-like: write-to-read-only
   ends: SIGSEGV
   build: -O1
   says: quick

   A second thread with a 64 KiB stack: no [stack] in the maps, the fault is in
   the inaccessible guard page below it (SEGV_ACCERR). */
#include <pthread.h>

__attribute__((noipa)) long quick(volatile long *items, long low, long high) {
    volatile long copies[16];
    copies[low & 15] = items[low & 15];
    if (high - low < 1) return copies[low & 15];
    return quick(items, low, high) + copies[low & 15];
}

void *sort(void *) {
    long items[16] = {};
    return reinterpret_cast<void *>(quick(items, 0, 15));
}

int main() {
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 64 * 1024);
    pthread_t thread;
    pthread_create(&thread, &small, sort, nullptr);
    pthread_join(thread, nullptr);
}
