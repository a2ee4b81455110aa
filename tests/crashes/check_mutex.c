/* expect: failed-check|unknown weak
   not: deadlock heap-corruption uncaught-cpp-exception
   ends: SIGABRT
   says: (?i)mutex|enter

   The owner field of a free mutex was overwritten; glibc's own assertion in
   the lock code stops the program. */
#include <pthread.h>

static struct { char name[8]; pthread_mutex_t lock; } table;

static void enter(void) { pthread_mutex_lock(&table.lock); }

int main(void) {
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_NORMAL);
    pthread_mutex_init(&table.lock, &kind);
    table.lock.__data.__owner = 12345;
    enter();
    return 0;
}
