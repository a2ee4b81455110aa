// A program in a known state until its stdin says how to end. "idle": sleeps
// in read. "busy": computes. "threads": computes in eight threads. "tree":
// has a child that sleeps and one that computes. Then one letter comes: "e"
// ends with 42, "n" dies of a null pointer, "a" aborts, "f" forks a child that
// exits with 7, "r" survives a fault of its own and ends with 43. Each end
// first says "going on".

#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static int *volatile nowhere;
static volatile unsigned work;
static sigjmp_buf safe;

static void *compute(void *unused) {
  for (;;) work++;
  return unused;
}

static void on_fault(int number) { siglongjmp(safe, number); }

static int survive(void) {
  signal(SIGSEGV, on_fault);
  if (!sigsetjmp(safe, 1)) *nowhere = 1;
  return 43;
}

static int end(char how) {
  if (write(1, "going on\n", 9) != 9) return 9;
  if (how == 'n') *nowhere = 1;
  if (how == 'a') abort();
  if (how == 'r') return survive();
  if (how == 'f') {
    int status = 0;
    pid_t pid = fork();
    if (!pid) _exit(7);
    waitpid(pid, &status, 0);
    return status >> 8;
  }
  return 42;
}

static void child_that(int computes) {
  pid_t parent = getpid();
  if (fork()) return;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);
  if (computes) compute(NULL);
  for (;;) pause();
}

int main(int argc, char **argv) {
  const char *state = argc > 1 ? argv[1] : "idle";
  pthread_t thread;
  if (!strcmp(state, "threads"))
    for (int i = 0; i < 8; i++) pthread_create(&thread, NULL, compute, NULL);
  if (!strcmp(state, "tree")) {
    child_that(0);
    child_that(1);
  }
  if (write(1, "ready\n", 6) != 6) return 9;
  struct pollfd input = {0, POLLIN, 0};
  if (!strcmp(state, "busy"))
    while (poll(&input, 1, 0) == 0)
      for (int i = 0; i < 1000; i++) work++;
  char how = 'e';
  if (read(0, &how, 1) != 1) return 8;
  exit(end(how));
}
