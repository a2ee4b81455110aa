// Ends in a chosen way. Options first: --say TEXT (to stderr, no line end
// added), --threads N (idle ones), --told (says "ready" and waits for a byte
// on stdin). Then one of: exit N | raise N | wait | null | abort | divide |
// illegal | thread-null | thread-abort | overflow.
// Signals are put back to their default action, so that "raise N" is fatal
// whatever the caller left ignored or blocked.

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int *volatile nowhere;
static volatile int zero;

static void *idle(void *unused) {
  while (pause()) continue;
  return unused;
}

static void raise_default(int number) {
  signal(number, SIG_DFL);
  sigset_t all;
  sigemptyset(&all);
  sigprocmask(SIG_SETMASK, &all, NULL);
  // Not raise(): the C library may not know every number as a signal.
  syscall(SYS_kill, getpid(), number);
  for (;;) pause();
}

static void *null_in_thread(void *unused) {
  *nowhere = 1;
  return unused;
}

static void *abort_in_thread(void *unused) {
  abort();
  return unused;
}

static void in_thread(void *(*body)(void *)) {
  pthread_t thread;
  pthread_create(&thread, NULL, body, NULL);
  pthread_join(thread, NULL);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winfinite-recursion"
__attribute__((noinline)) static int deeper(volatile char *above) {
  volatile char here[512];
  here[0] = above ? above[0] + 1 : 0;
  return deeper(here) + here[0];
}
#pragma GCC diagnostic pop

static void die(const char *how, const char *number) {
  if (!strcmp(how, "exit")) _exit(atoi(number));
  if (!strcmp(how, "raise")) raise_default(atoi(number));
  if (!strcmp(how, "null")) *nowhere = 1;
  if (!strcmp(how, "abort")) abort();
  if (!strcmp(how, "divide")) _exit(77 / zero);
  if (!strcmp(how, "illegal")) __builtin_trap();
  if (!strcmp(how, "thread-null")) in_thread(null_in_thread);
  if (!strcmp(how, "thread-abort")) in_thread(abort_in_thread);
  if (!strcmp(how, "overflow")) _exit(deeper(NULL));
  if (strcmp(how, "wait")) _exit(99);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  for (int n = 1; n < 65; n++) signal(n, SIG_DFL);
  if (write(1, "ready\n", 6) != 6) _exit(98);
  for (;;) pause();
}

int main(int argc, char **argv) {
  int at = 1;
  for (; at < argc && !strncmp(argv[at], "--", 2); at++) {
    if (!strcmp(argv[at], "--say")) {
      const char *text = argv[++at];
      if (write(2, text, strlen(text)) < 0) return 97;
    } else if (!strcmp(argv[at], "--threads")) {
      pthread_t thread;
      for (int n = atoi(argv[++at]); n > 0; n--)
        pthread_create(&thread, NULL, idle, NULL);
    } else if (!strcmp(argv[at], "--told")) {
      char byte;
      if (write(1, "ready\n", 6) != 6 || read(0, &byte, 1) < 0) return 96;
    }
  }
  if (at >= argc) return 95;
  die(argv[at], at + 1 < argc ? argv[at + 1] : "0");
}
