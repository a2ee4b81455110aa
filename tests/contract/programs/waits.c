// waits DISTURBANCE: blocks in each of a list of system calls while something
// that does not concern the call happens, and tells how the call ended. Each
// call has a process of its own (the sleeper); its parent watches until it
// really sleeps and then disturbs. Which calls give EINTR is the kernel's
// business and is compared, not assumed; signal(7) has the list.

#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WAIT_MS = 400 };
static const struct timespec WAIT = {0, WAIT_MS * 1000000L};

static long by_epoll(void) {
  struct epoll_event event;
  return epoll_wait(epoll_create1(0), &event, 1, WAIT_MS);
}
static long by_poll(void) { return poll(NULL, 0, WAIT_MS); }
static long by_select(void) {
  struct timeval wait = {0, WAIT_MS * 1000};
  return select(0, NULL, NULL, NULL, &wait);
}
static long by_nanosleep(void) { return nanosleep(&WAIT, NULL); }
static long by_sigtimedwait(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  sigprocmask(SIG_BLOCK, &set, NULL);
  return sigtimedwait(&set, NULL, &WAIT);
}
static long by_semtimedop(void) {
  int set = semget(IPC_PRIVATE, 1, 0600);
  struct sembuf take = {0, -1, 0};
  long result = semtimedop(set, &take, 1, &WAIT);
  int error = errno;
  semctl(set, 0, IPC_RMID);
  errno = error;
  return result;
}
static long by_recv(void) {
  int pair[2];
  char byte;
  struct timeval wait = {0, WAIT_MS * 1000};
  socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
  setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait);
  return recv(pair[0], &byte, 1, 0);
}
static long by_futex(void) {
  static int word;
  return syscall(SYS_futex, &word, FUTEX_WAIT, 0, &WAIT, NULL, 0);
}
static long by_signalfd(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  sigprocmask(SIG_BLOCK, &set, NULL);
  struct epoll_event event = {.events = EPOLLIN};
  int poller = epoll_create1(0);
  epoll_ctl(poller, EPOLL_CTL_ADD, signalfd(-1, &set, 0), &event);
  return epoll_wait(poller, &event, 1, WAIT_MS);
}

static const struct { const char *name; long (*wait)(void); } CALLS[] = {
    {"epoll_wait", by_epoll},   {"poll", by_poll},
    {"select", by_select},      {"nanosleep", by_nanosleep},
    {"sigtimedwait", by_sigtimedwait}, {"semtimedop", by_semtimedop},
    {"recv", by_recv},          {"futex", by_futex},
    {"signalfd", by_signalfd},
};
enum { CALL_COUNT = sizeof CALLS / sizeof *CALLS };

static void *nothing(void *unused) { return unused; }

// Runs inside the sleeper, beside the thread that sleeps.
static void *churn(void *ready) {
  char byte;
  if (read(*(int *)ready, &byte, 1) != 1) return NULL;
  for (int i = 0; i < 30; i++) {
    pthread_t thread;
    pthread_create(&thread, NULL, nothing, NULL);
    pthread_join(thread, NULL);
  }
  return NULL;
}

// A child of the sleeper that ends in its own way once it is told to.
static void child_that(int crashes, int told) {
  if (fork()) return;
  char byte;
  if (read(told, &byte, 1) == 1 && crashes) *(volatile int *)NULL = 1;
  _exit(0);
}

static int sleeper(const char *disturbance, int which, int told) {
  signal(SIGUSR1, SIG_IGN);
  pthread_t thread;
  if (!strcmp(disturbance, "child-exit")) child_that(0, told);
  if (!strcmp(disturbance, "child-crash")) child_that(1, told);
  if (!strcmp(disturbance, "threads"))
    pthread_create(&thread, NULL, churn, &told);
  errno = 0;
  long result = CALLS[which].wait();
  if (result < 0 && errno == EINTR) return 1;
  return result < 0 && errno != EAGAIN && errno != ETIMEDOUT ? 2 : 0;
}

static void until_asleep(pid_t pid) {
  char path[64], line[512], state = 0;
  snprintf(path, sizeof path, "/proc/%d/stat", pid);
  // Twice in a row, in a call and not on the way to it.
  for (int times = 0; times < 200 && state != 'Z';) {
    FILE *file = fopen(path, "r");
    if (!file || !fgets(line, sizeof line, file)) line[0] = 0;
    if (file) fclose(file);
    char *end = strrchr(line, ')');
    state = end ? end[2] : 'Z';
    times = state == 'S' ? times + 1 : 0;
  }
}

static void disturb(const char *disturbance, pid_t pid, int tell) {
  until_asleep(pid);
  if (!strcmp(disturbance, "window-change")) kill(pid, SIGWINCH);
  if (!strcmp(disturbance, "ignored-signal")) kill(pid, SIGUSR1);
  if (!strcmp(disturbance, "stop-and-continue")) {
    int status;
    kill(pid, SIGSTOP);
    waitpid(pid, &status, WUNTRACED);
    kill(pid, SIGCONT);
  }
  if (write(tell, "x", 1) != 1) _exit(9);
}

int main(int argc, char **argv) {
  const char *disturbance = argc > 1 ? argv[1] : "none";
  pid_t pids[CALL_COUNT];
  int tell[CALL_COUNT][2];
  for (int i = 0; i < CALL_COUNT; i++) {
    if (pipe(tell[i])) return 9;
    pids[i] = fork();
    if (!pids[i]) _exit(sleeper(disturbance, i, tell[i][0]));
    disturb(disturbance, pids[i], tell[i][1]);
  }
  const char *words[] = {"ran to its end", "EINTR", "another error"};
  for (int i = 0; i < CALL_COUNT; i++) {
    int status = 0;
    waitpid(pids[i], &status, 0);
    printf("%s: %s\n", CALLS[i].name,
           WIFEXITED(status) && WEXITSTATUS(status) < 3
               ? words[WEXITSTATUS(status)] : "died");
  }
}
