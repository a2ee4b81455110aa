// looked_at: a thread for each of a list of system calls, asleep in it nearly
// all the time, one thread at work and one that forks. Says "ready", goes on
// until a byte comes on stdin, then tells every call that did not end as it
// should: EINTR, a shorter count, a shorter or longer sleep.

#include <errno.h>
#include <linux/aio_abi.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WAIT_MS = 150, BLOCK = 1 << 20, HALF = 4096 };
static const struct timespec WAIT = {0, WAIT_MS * 1000000L};
static volatile int over;
static int full_pipe[2], half_told[2];

static void told(const char *what, long result) {
  if (result < 0 && errno == EINTR) printf("%s: EINTR\n", what);
}

static int socket_with_timeout(int fd) {
  struct timeval wait = {0, WAIT_MS * 1000};
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait);
  return fd;
}

static int silent_socket(void) {
  int pair[2];
  return socketpair(AF_UNIX, SOCK_STREAM, 0, pair) ? -1
                                                   : socket_with_timeout(pair[0]);
}

static void by_epoll(void) {
  struct epoll_event event;
  int poller = epoll_create1(0);
  while (!over) told("epoll_wait", epoll_wait(poller, &event, 1, WAIT_MS));
}
static void by_semtimedop(void) {
  int set = semget(IPC_PRIVATE, 1, 0600);
  struct sembuf take = {0, -1, 0};
  while (!over) told("semtimedop", semtimedop(set, &take, 1, &WAIT));
  semctl(set, 0, IPC_RMID);
}
static void by_recv(void) {
  char byte;
  int fd = silent_socket();
  while (!over) told("recv", recv(fd, &byte, 1, 0));
}
static void by_read(void) {
  char byte;
  int fd = silent_socket();
  while (!over) told("read", read(fd, &byte, 1));
}
static void by_accept(void) {
  struct sockaddr_in any = {.sin_family = AF_INET};
  int fd = socket_with_timeout(socket(AF_INET, SOCK_STREAM, 0));
  if (bind(fd, (struct sockaddr *)&any, sizeof any) || listen(fd, 1)) return;
  while (!over) told("accept", accept(fd, NULL, NULL));
}
static void by_sigtimedwait(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  while (!over) told("sigtimedwait", sigtimedwait(&set, NULL, &WAIT));
}
static void by_io_getevents(void) {
  aio_context_t context = 0;
  struct io_event event;
  if (syscall(SYS_io_setup, 4, &context)) return;
  while (!over) {
    struct timespec wait = WAIT;
    told("io_getevents",
         syscall(SYS_io_getevents, context, 1L, 1L, &event, &wait));
  }
}
static void by_poll(void) {
  struct pollfd nothing = {eventfd(0, 0), POLLIN, 0};
  while (!over) told("poll", poll(&nothing, 1, WAIT_MS));
}
static void by_select(void) {
  while (!over) {
    struct timeval wait = {0, WAIT_MS * 1000};
    told("select", select(0, NULL, NULL, NULL, &wait));
  }
}
static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}
static void by_nanosleep(void) {
  while (!over) {
    double began = now_ms();
    told("nanosleep", nanosleep(&WAIT, NULL));
    if (now_ms() - began < WAIT_MS) puts("nanosleep: too short");
  }
}
static void by_condition(void) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t never = PTHREAD_COND_INITIALIZER;
  pthread_mutex_lock(&mutex);
  while (!over) {
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += 1;
    if (pthread_cond_timedwait(&never, &mutex, &end) == EINTR)
      puts("condition: EINTR");
  }
}
static void by_pause(void) { told("pause", pause()); }
static void by_write(void) {
  static char block[BLOCK];
  long wrote = write(full_pipe[1], block, sizeof block);
  if (wrote != BLOCK) printf("write: %ld of %d\n", wrote, BLOCK);
}
static void by_recv_all(void) {
  char block[2 * HALF];
  long got = recv(half_told[0], block, sizeof block, MSG_WAITALL);
  if (got != sizeof block) printf("recv all: %ld\n", got);
}
static void by_wait(void) {
  while (!over) {
    pid_t child = fork();
    if (!child) {
      nanosleep(&WAIT, NULL);
      _exit(0);
    }
    told("waitpid", waitpid(child, NULL, 0));
  }
}
static void by_work(void) {
  for (volatile long n = 0; !over;) n++;
}

static void (*const DOINGS[])(void) = {
    by_epoll, by_semtimedop, by_recv, by_read, by_accept, by_sigtimedwait,
    by_io_getevents, by_poll, by_select, by_nanosleep, by_condition, by_pause,
    by_write, by_recv_all, by_wait, by_work};
enum { COUNT = sizeof DOINGS / sizeof *DOINGS };

static void *run(void *which) {
  DOINGS[*(int *)which]();
  return NULL;
}

int main(void) {
  static int which[COUNT];
  static char block[BLOCK];
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  sigprocmask(SIG_BLOCK, &set, NULL);
  if (pipe(full_pipe) || socketpair(AF_UNIX, SOCK_STREAM, 0, half_told) ||
      send(half_told[1], block, HALF, 0) != HALF)
    return 9;
  for (int i = 0; i < COUNT; i++) {
    pthread_t thread;
    which[i] = i;
    if (pthread_create(&thread, NULL, run, &which[i])) return 9;
  }
  puts("ready");
  fflush(stdout);
  char byte;
  if (read(0, &byte, 1) < 0) return 9;
  for (long left = BLOCK, got; left > 0; left -= got)
    if ((got = read(full_pipe[0], block, sizeof block)) <= 0) return 9;
  if (send(half_told[1], block, HALF, 0) != HALF) return 9;
  over = 1;
  struct timespec last = {0, 3 * WAIT_MS * 1000000L};
  nanosleep(&last, NULL);
  puts("over");
  fflush(stdout);
  _exit(0);
}
