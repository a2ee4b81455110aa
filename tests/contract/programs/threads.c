// threads WAVES EACH [exec|exit|crash]: makes WAVES times EACH threads, all of
// a wave alive at once, and joins them; then tells how many there were. With a
// third word the last wave is still alive when the program execs a shell,
// exits or dies.

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int alive, may_end, total;

static void *one(void *unused) {
  pthread_mutex_lock(&lock);
  alive++;
  total++;
  pthread_cond_broadcast(&changed);
  while (!may_end) pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
  return unused;
}

static void start(pthread_t *threads, int count) {
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 32768);
  alive = may_end = 0;
  for (int i = 0; i < count; i++)
    if (pthread_create(&threads[i], &small, one, NULL)) _exit(4);
  pthread_mutex_lock(&lock);
  while (alive < count) pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
}

int main(int argc, char **argv) {
  if (argc < 3) return 5;
  int waves = atoi(argv[1]), each = atoi(argv[2]);
  const char *end = argc > 3 ? argv[3] : "";
  pthread_t *threads = calloc(each, sizeof *threads);
  for (int wave = 0; wave < waves; wave++) {
    start(threads, each);
    if (wave == waves - 1 && *end) break;
    pthread_mutex_lock(&lock);
    may_end = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < each; i++) pthread_join(threads[i], NULL);
  }
  printf("%d threads\n", total);
  fflush(stdout);
  if (!strcmp(end, "exec")) execl("/bin/sh", "sh", "-c", "exit 6", NULL);
  if (!strcmp(end, "exit")) exit(7);
  if (!strcmp(end, "crash")) abort();
  return 0;
}
