// Keeps or lets go of what it was given. "close N": says "ready" on stdout
// (stderr when N is 1), closes descriptor N, says "closed" and waits for its
// parent to end it. "detach": a daemon by the book (two forks, a new session,
// all descriptors closed) that writes its pid to the file argv[2] and waits
// for a signal; the first process ends with 3 once the file is written.
// "stream N": writes N lines to stdout and stderr. "chdir": goes to / and
// waits.

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void say(int fd, const char *words) {
  if (write(fd, words, strlen(words)) < 0) _exit(9);
}

static void close_one(int number) {
  int speaks_on = number == 1 ? 2 : 1;
  say(speaks_on, "ready\n");
  close(number);
  say(speaks_on, "closed\n");
  for (;;) pause();
}

static void write_pid(const char *path) {
  char name[4096], words[32];
  snprintf(name, sizeof name, "%s.new", path);
  int fd = open(name, O_WRONLY | O_CREAT, 0666);
  snprintf(words, sizeof words, "%d", getpid());
  say(fd, words);
  close(fd);
  rename(name, path);
}

static int detach(const char *path) {
  int done[2];
  char byte;
  if (pipe(done)) return 9;
  if (fork()) {
    close(done[1]);
    return read(done[0], &byte, 1) ? 9 : 3;
  }
  setsid();
  if (fork()) _exit(0);
  write_pid(path);
  for (int fd = 0; fd < 1024; fd++) close(fd);
  for (;;) pause();
}

static void stream(int lines) {
  for (int line = 0; line < lines; line++) {
    printf("line %d on stdout\n", line);
    fprintf(stderr, "line %d on stderr\n", line);
  }
}

int main(int argc, char **argv) {
  if (argc < 2) return 8;
  if (!strcmp(argv[1], "close")) close_one(atoi(argv[2]));
  if (!strcmp(argv[1], "detach")) return detach(argv[2]);
  if (!strcmp(argv[1], "stream")) stream(atoi(argv[2]));
  if (!strcmp(argv[1], "chdir")) {
    if (chdir("/")) return 7;
    say(1, "ready\n");
    for (;;) pause();
  }
  return 0;
}
