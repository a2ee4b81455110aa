/* expect: division-by-zero strong
   not: null-pointer
   ends: SIGFPE
   build: -O2
   says: tile

   The divisor is in memory, not in a register, and the thread is not the main
   one. */
#include <pthread.h>

struct Pool { long width, stride; };

__attribute__((noipa)) static long tile(const struct Pool *pool) {
    return pool->width / pool->stride;
}

static void *work(void *pool) { return (void *)tile(pool); }

int main(void) {
    struct Pool pool = {28, 0};
    pthread_t thread;
    pthread_create(&thread, 0, work, &pool);
    return pthread_join(thread, 0);
}
