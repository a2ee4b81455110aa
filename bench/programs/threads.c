// Creates and joins threads one after the other; each is a stop for a tracer that follows threads.
#include <pthread.h>
#include <stdlib.h>

static void* nothing(void* x) { return x; }

int main(int argc, char** argv) {
  const long count = 10000L * (argc > 1 ? atoi(argv[1]) : 1);
  for (long i = 0; i < count; i++) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, nothing, NULL)) return 1;
    pthread_join(thread, NULL);
  }
  return 0;
}
