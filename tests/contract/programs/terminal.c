// What a program sees of its terminal. "look": tells it and ends. "resize":
// tells the new size at each SIGWINCH until it is 7 rows high. "talk": answers
// lines until end of file and says when it was continued after a stop.
// "hangup": says when the terminal goes, on descriptor 3, and ends with 4.

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

static volatile sig_atomic_t resized;

static void on_resize(int number) { (void)number; resized = 1; }

static void on_continue(int number) {
  (void)number;
  if (write(1, "continued\n", 10) < 0) _exit(9);
}

static void on_hangup(int number) {
  (void)number;
  if (write(3, "hung up\n", 8) < 0) _exit(9);
  _exit(4);
}

static void handle(int number, void (*handler)(int), int flags) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
  sigaction(number, &action, NULL);
}

static int tell_size(void) {
  struct winsize size = {0, 0, 0, 0};
  ioctl(0, TIOCGWINSZ, &size);
  printf("%d rows, %d columns\n", size.ws_row, size.ws_col);
  fflush(stdout);
  return size.ws_row;
}

static void look(void) {
  for (int fd = 0; fd < 3; fd++)
    printf("%d is a terminal: %d\n", fd, isatty(fd));
  struct termios modes;
  tcgetattr(0, &modes);
  printf("modes %x %x %x %x\n", modes.c_iflag, modes.c_oflag, modes.c_cflag,
         modes.c_lflag);
  printf("in the foreground: %d\n", tcgetpgrp(0) == getpgrp());
  printf("leads its group: %d\n", getpgrp() == getpid());
  printf("session has the terminal: %d\n", tcgetsid(0) == getsid(0));
  tell_size();
}

static void resize(void) {
  sigset_t block, before;
  sigemptyset(&block);
  sigaddset(&block, SIGWINCH);
  sigprocmask(SIG_BLOCK, &block, &before);
  handle(SIGWINCH, on_resize, 0);
  tell_size();
  for (int rows = 0; rows != 7; rows = tell_size()) {
    while (!resized) sigsuspend(&before);
    resized = 0;
  }
}

static void talk(void) {
  handle(SIGCONT, on_continue, SA_RESTART);
  char line[256];
  if (write(1, "ready\n", 6) < 0) return;
  while (fgets(line, sizeof line, stdin)) {
    printf("heard %s", line);
    fflush(stdout);
  }
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  if (!strcmp(what, "look")) look();
  if (!strcmp(what, "resize")) resize();
  if (!strcmp(what, "talk")) talk();
  if (!strcmp(what, "hangup")) {
    handle(SIGHUP, on_hangup, 0);
    if (write(1, "ready\n", 6) < 0) return 9;
    for (;;) pause();
  }
  return 0;
}
