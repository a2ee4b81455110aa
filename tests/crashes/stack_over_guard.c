/* expect: stack-overflow proven
   not: out-of-bounds wild-pointer
   ends: SIGSEGV
   says: thread's stack of 8\.0 MiB

   Frames so large that one of them steps over the inaccessible page behind the
   thread's stack, to where another mapping lies. */
#include <pthread.h>

static int deeper(int n) {
    volatile char room[60000];
    room[0] = (char)n;
    return n ? deeper(n - 1) + room[0] : 0;
}

static void *work(void *unused) {
    (void)unused;
    return deeper(1000) ? work : 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
}
