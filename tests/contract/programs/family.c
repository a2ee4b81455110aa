// Makes processes in each way there is and tells what their parent saw, in
// words that do not change from run to run. One way an argument:
// fork vfork spawn clone chain thread-exec wait-order wait-flags subreaper
// parent-death deep many session traceme.

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static char *self;

static void waited(const char *what, pid_t pid) {
  int status = 0;
  pid_t got = waitpid(pid, &status, __WALL);
  printf("%s: its own %d, status %x\n", what, got == pid, status);
}

static void by_fork(void) {
  for (int code = 0; code < 5; code++) {
    fflush(stdout);
    pid_t pid = fork();
    if (!pid && code == 4) kill(getpid(), SIGKILL);
    if (!pid) _exit(code);
    waited("fork", pid);
  }
}

static void by_vfork(void) {
  for (volatile int times = 0; times < 5; times++) {
    pid_t pid = vfork();
    if (!pid) {
      execl("/bin/sh", "sh", "-c", "exit 7", NULL);
      _exit(126);
    }
    waited("vfork", pid);
  }
  pid_t pid = vfork();
  if (!pid) _exit(8);
  waited("vfork without exec", pid);
}

static void by_spawn(void) {
  char *words[] = {"sh", "-c", "exit 9", NULL};
  pid_t pid;
  printf("spawn: %d\n", posix_spawn(&pid, "/bin/sh", NULL, NULL, words,
                                    environ));
  waited("spawn", pid);
  printf("spawn of nothing: %d\n",
         posix_spawn(&pid, "/nowhere/nothing", NULL, NULL, words, environ));
}

static int cloned(void *value) {
  if (value) *(int *)value = 5;
  return 6;
}

static void by_clone(void) {
  static char stack[65536] __attribute__((aligned(16)));
  static int shared;
  char *top = stack + sizeof stack;
  waited("clone", clone(cloned, top, SIGCHLD, NULL));
  waited("clone that shares memory",
         clone(cloned, top, CLONE_VM | SIGCHLD, &shared));
  printf("it wrote %d\n", shared);
  waited("clone without a signal", clone(cloned, top, CLONE_FILES, NULL));
  waited("clone with another signal", clone(cloned, top, SIGURG, NULL));
  waited("untraced clone", clone(cloned, top, CLONE_UNTRACED | SIGCHLD, NULL));
}

static void chain(int links) {
  char left[16];
  if (links == 0) {
    printf("end of the chain, same pid %d\n",
           atoi(getenv("FIRST_PID")) == getpid());
    return;
  }
  snprintf(left, sizeof left, "%d", getpid());
  setenv("FIRST_PID", left, 0);
  snprintf(left, sizeof left, "%d", links - 1);
  execl(self, self, "chain", left, NULL);
}

static void *exec_here(void *unused) {
  setenv("FIRST_PID", (char *)unused, 1);
  execl(self, self, "chain", "0", NULL);
  return NULL;
}

static void *idle(void *unused) {
  while (pause()) continue;
  return unused;
}

static void thread_exec(void) {
  char pid[16];
  pthread_t thread;
  snprintf(pid, sizeof pid, "%d", getpid());
  for (int i = 0; i < 8; i++) pthread_create(&thread, NULL, idle, NULL);
  pthread_create(&thread, NULL, exec_here, pid);
  pthread_join(thread, NULL);
}

static void wait_order(void) {
  pid_t pids[6];
  for (int i = 0; i < 6; i++) {
    pids[i] = fork();
    if (!pids[i]) _exit(10 + i);
    siginfo_t info;
    waitid(P_PID, pids[i], &info, WEXITED | WNOWAIT);
  }
  for (int i = 0; i < 6; i++) {
    int status;
    pid_t got = wait(&status);
    for (int k = 0; k < 6; k++)
      if (pids[k] == got) printf("zombie %d, code %d\n", k, status >> 8);
  }
}

static void tell_wait(const char *what, pid_t got, pid_t pid, int status) {
  printf("%s: %s, status %x\n", what,
         got == pid ? "the child" : got == 0 ? "not yet" : strerror(errno),
         status);
}

static void wait_flags(void) {
  int go[2], status = 0;
  if (pipe(go)) exit(9);
  pid_t pid = fork();
  if (!pid) {
    char byte;
    close(go[1]);
    _exit(read(go[0], &byte, 1) ? 1 : 2);
  }
  tell_wait("WNOHANG", waitpid(pid, &status, WNOHANG), pid, status);
  kill(pid, SIGSTOP);
  tell_wait("stopped", waitpid(pid, &status, WUNTRACED), pid, status);
  kill(pid, SIGCONT);
  tell_wait("continued", waitpid(pid, &status, WCONTINUED), pid, status);
  close(go[1]);
  siginfo_t info = {.si_pid = 0};
  for (int times = 0; times < 2; times++) {
    waitid(P_PID, pid, &info, WEXITED | WNOWAIT);
    printf("WNOWAIT: code %d status %d\n", info.si_code, info.si_status);
  }
  tell_wait("at last", waitpid(pid, &status, 0), pid, status);
  tell_wait("once more", waitpid(pid, &status, 0), pid, 0);
  tell_wait("any", waitpid(-1, &status, __WALL), pid, 0);
}

static void subreaper(void) {
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  fflush(stdout);
  if (!fork()) {
    for (int i = 0; i < 3; i++)
      if (!fork()) _exit(20);
    _exit(0);
  }
  int status, children = 0, orphans = 0;
  while (wait(&status) > 0) status >> 8 == 20 ? orphans++ : children++;
  printf("children %d, orphans %d, then %s\n", children, orphans,
         strerror(errno));
}

static void parent_death(void) {
  int ends[2], ready[2];
  char byte;
  if (pipe(ends) || pipe(ready)) exit(9);
  fflush(stdout);
  pid_t middle = fork();
  if (!middle) {
    if (!fork()) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      close(ready[0]);
      close(ready[1]);
      for (;;) pause();
    }
    close(ready[1]);
    close(ends[1]);
    _exit(read(ready[0], &byte, 1) ? 1 : 0);
  }
  close(ends[1]);
  close(ready[1]);
  waited("middle", middle);
  printf("the grandchild went with it: %zd\n", read(ends[0], &byte, 1));
}

static void deep(int levels) {
  int level = 0, status = 3 << 8;
  fflush(stdout);
  while (level < levels && !fork()) level++;
  if (level < levels) wait(&status);
  if (level == 0) printf("from the deepest: %x\n", status);
  exit(status >> 8);
}

static void many(int times) {
  int sum = 0;
  for (int i = 0; i < times; i++) {
    char *words[] = {self, "exit", NULL};
    pid_t pid = fork();
    if (!pid) execv(self, words);
    int status;
    sum += waitpid(pid, &status, 0) == pid && status >> 8 == 1;
  }
  printf("%d of %d\n", sum, times);
}

static void session(void) {
  fflush(stdout);
  pid_t pid = fork();
  if (!pid) {
    pid_t made = setsid();
    _exit(made == getpid() && getsid(0) == made && getpgrp() == made ? 4 : 5);
  }
  waited("setsid", pid);
}

// What an installer or a game does against debuggers.
static void traceme(void) {
  long result = ptrace(PTRACE_TRACEME, 0, 0, 0);
  printf("TRACEME: %ld %s\n", result, result ? strerror(errno) : "");
}

int main(int argc, char **argv) {
  self = argv[0];
  const char *what = argc > 1 ? argv[1] : "";
  int number = argc > 2 ? atoi(argv[2]) : 0;
  if (!strcmp(what, "exit")) return 1;
  if (!strcmp(what, "fork")) by_fork();
  if (!strcmp(what, "vfork")) by_vfork();
  if (!strcmp(what, "spawn")) by_spawn();
  if (!strcmp(what, "clone")) by_clone();
  if (!strcmp(what, "chain")) chain(number);
  if (!strcmp(what, "thread-exec")) thread_exec();
  if (!strcmp(what, "wait-order")) wait_order();
  if (!strcmp(what, "wait-flags")) wait_flags();
  if (!strcmp(what, "subreaper")) subreaper();
  if (!strcmp(what, "parent-death")) parent_death();
  if (!strcmp(what, "deep")) deep(number);
  if (!strcmp(what, "many")) many(number);
  if (!strcmp(what, "session")) session();
  if (!strcmp(what, "traceme")) traceme();
  return 0;
}
