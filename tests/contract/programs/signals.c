// Receives signals and tells what came. "await": by sigwaitinfo; "handle": by
// handlers; both tell number, code, value and sender of each, until SIGTERM.
// "recover" and "barrier": faults that are handled and survived, by a jump and
// by mending the page; "overflow": a stack overflow survived on another stack.
// "ticks": fifty of an interval timer. "children": SIGCHLD of each of twenty.

#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t ended, ticks;
static sigjmp_buf safe;
static int *volatile target;
static char *page;

static void tell(const siginfo_t *info) {
  char line[128];
  const char *from = info->si_code > 0            ? "the kernel"
                     : info->si_pid == getppid() ? "the parent"
                     : info->si_pid == getpid()  ? "itself"
                                                 : "another";
  int count = snprintf(line, sizeof line, "%d code %d value %d from %s\n",
                       info->si_signo, info->si_code,
                       info->si_value.sival_int, from);
  if (info->si_code == SI_USER)
    count = snprintf(line, sizeof line, "%d code 0 from %s\n",
                     info->si_signo, from);
  if (write(1, line, count) != count) _exit(9);
}

static void on_any(int number, siginfo_t *info, void *context) {
  (void)context;
  tell(info);
  if (number == SIGTERM) ended = 1;
}

static void on_fault(int number) { siglongjmp(safe, number); }
static void on_tick(int number) { (void)number; ticks++; }

static void on_barrier(int number) {
  (void)number;
  mprotect(page, 4096, PROT_READ | PROT_WRITE);
}

static void handle(int number, void (*handler)(int), int flags) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
  sigaction(number, &action, NULL);
}

static void await(void) {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, NULL);
  if (write(1, "ready\n", 6) != 6) _exit(9);
  siginfo_t info = {.si_signo = 0};
  while (info.si_signo != SIGTERM)
    if (sigwaitinfo(&all, &info) > 0) tell(&info);
}

static void with_handlers(void) {
  sigset_t all, none;
  sigfillset(&all);
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &all, NULL);
  for (int number = 1; number < NSIG; number++) {
    struct sigaction action = {.sa_sigaction = on_any,
                               .sa_flags = SA_SIGINFO, .sa_mask = all};
    sigaction(number, &action, NULL);
  }
  if (write(1, "ready\n", 6) != 6) _exit(9);
  while (!ended) sigsuspend(&none);
}

static void recover(int times) {
  volatile int survived = 0;
  const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
    handle(signals[i], on_fault, 0);
  for (volatile int i = 0; i < times; i++) {
    if (sigsetjmp(safe, 1)) {
      survived++;
      continue;
    }
    if (i % 3 == 0) *target = 1;
    if (i % 3 == 1) raise(signals[i % 6]);
    if (i % 3 == 2) __builtin_trap();
  }
  printf("survived %d\n", survived);
}

static void barrier(int times) {
  page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  handle(SIGSEGV, on_barrier, SA_NODEFER);
  for (int i = 0; i < times; i++) {
    mprotect(page, 4096, PROT_READ);
    ((volatile int *)page)[i % 1024] += 1;
  }
  printf("written %d\n", ((volatile int *)page)[0]);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winfinite-recursion"
__attribute__((noinline)) static int deeper(volatile char *above) {
  volatile char here[4096];
  here[0] = above ? above[0] + 1 : 0;
  return deeper(here) + here[0];
}
#pragma GCC diagnostic pop

static void overflow(void) {
  stack_t other = {.ss_sp = malloc(65536), .ss_size = 65536};
  sigaltstack(&other, NULL);
  handle(SIGSEGV, on_fault, SA_ONSTACK);
  if (sigsetjmp(safe, 1)) printf("survived the overflow\n");
  else printf("%d\n", deeper(NULL));
}

static void count_ticks(void) {
  sigset_t alarm, none;
  sigemptyset(&none);
  sigemptyset(&alarm);
  sigaddset(&alarm, SIGALRM);
  sigprocmask(SIG_BLOCK, &alarm, NULL);
  handle(SIGALRM, on_tick, 0);
  struct itimerval often = {{0, 2000}, {0, 2000}}, never = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &often, NULL);
  while (ticks < 50) sigsuspend(&none);
  setitimer(ITIMER_REAL, &never, NULL);
  printf("%d ticks\n", (int)ticks);
}

static void children(void) {
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  sigprocmask(SIG_BLOCK, &child, NULL);
  for (int i = 0; i < 20; i++) {
    pid_t pid = fork();
    if (pid == 0 && i % 5 == 4) kill(getpid(), SIGKILL);
    if (pid == 0) _exit(i);
    siginfo_t info;
    sigwaitinfo(&child, &info);
    int status = 0;
    pid_t waited = waitpid(pid, &status, 0);
    printf("%d: code %d status %d, its own %d, waited %d %x\n", i,
           info.si_code, info.si_status, info.si_pid == pid, waited == pid,
           status);
  }
  siginfo_t info;
  struct timespec now = {0, 0};
  printf("one more: %d\n", sigtimedwait(&child, &info, &now));
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  int times = argc > 2 ? atoi(argv[2]) : 100;
  if (!strcmp(what, "await")) await();
  if (!strcmp(what, "handle")) with_handlers();
  if (!strcmp(what, "recover")) recover(times);
  if (!strcmp(what, "barrier")) barrier(times);
  if (!strcmp(what, "overflow")) overflow();
  if (!strcmp(what, "ticks")) count_ticks();
  if (!strcmp(what, "children")) children();
  return 0;
}
