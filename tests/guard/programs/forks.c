// Threads that allocate without end while the program forks, by fork and by the bare system call; children allocate
// and end well. Signal handlers allocate in between (never inside malloc: glibc's own lock would hang there). A thread
// with the smallest stack.
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int done;

static void churn(unsigned seed, int rounds) {
  void* kept[64] = {0};
  for (int i = 0; i < rounds && !done; ++i) {
    int at = rand_r(&seed) % 64;
    size_t n = rand_r(&seed) % (i % 50 ? 900 : 40000);
    free(kept[at]);
    kept[at] = malloc(n);
    memset(kept[at], at, n);
  }
  for (int i = 0; i < 64; ++i) free(kept[i]);
}

static void* worker(void* seed) {
  churn((unsigned)(long)seed, INT_MAX);
  return 0;
}

static void* small(void* unused) {
  free(malloc(100));
  return 0;
}

static volatile int rang;

static void on_alarm(int signal) {
  free(malloc(1000));
  rang = 1;
}

int main(void) {
  pthread_t threads[3], tiny;
  for (long i = 0; i < 3; ++i) pthread_create(&threads[i], 0, worker, (void*)(i + 1));
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, PTHREAD_STACK_MIN);
  pthread_create(&tiny, &attributes, small, 0);
  pthread_join(tiny, 0);
  int good = 0;
  for (int i = 0; i < 20; ++i) {
    pid_t child = fork();
    if (child == 0) {
      churn(i, 300);
      pthread_t inner;
      pthread_create(&inner, 0, small, 0);
      pthread_join(inner, 0);
      _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    good += status == 0;
  }
  done = 1;
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  done = 0;
  signal(SIGALRM, on_alarm);
  for (int i = 0; i < 200; ++i) {
    churn(i, 20);
    rang = 0;
    ualarm(50, 0);
    while (!rang) {
    }
  }
  // vfork's child borrows the memory, the bare fork copies it without asking anybody
  pid_t child = vfork();
  if (child == 0) _exit(0);
  int status;
  waitpid(child, &status, 0);
  good += status == 0;
  child = syscall(SYS_fork);
  if (child == 0) {
    churn(1, 100);
    _exit(0);
  }
  waitpid(child, &status, 0);
  good += status == 0;
  printf("%d\n", good);
  return system("exit 5") >> 8;
}
