/* expect: out-of-bounds|wild-pointer|unknown weak
   looks-like: stack-overflow
   not: null-pointer write-to-read-only
   ends: SIGSEGV
   says: poke

   The main thread writes into the guard page of another thread's stack. That
   other stack is not in use to its end, and this one is somewhere else. */
#define _GNU_SOURCE
#include <pthread.h>
#include <unistd.h>

static void *idle(void *gate) {
    char byte;
    return (void *)read(*(int *)gate, &byte, 1);
}

static void poke(char *address) { *address = 1; }

int main(void) {
    int gate[2];
    if (pipe(gate)) return 1;
    pthread_t thread;
    pthread_create(&thread, NULL, idle, gate);
    pthread_attr_t attributes;
    void *low;
    size_t bytes;
    pthread_getattr_np(thread, &attributes);
    pthread_attr_getstack(&attributes, &low, &bytes);
    poke((char *)low - 128);
    return 0;
}
