// Writes what a program can learn of itself at its first moment to the file
// argv[1], as one JSON object; bytes are written in hex. It looks before it
// opens anything, and it reads raw kernel files where there is one, so that a
// thing nobody thought of is compared too.

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static char *text;
static size_t text_bytes;
static FILE *json;

static void hex(const char *bytes, size_t count) {
  putc('"', json);
  for (size_t i = 0; i < count; i++)
    fprintf(json, "%02x", (unsigned char)bytes[i]);
  putc('"', json);
}

static void file(const char *path) {
  static char bytes[1 << 18];
  size_t count = 0;
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t got;
  while (fd >= 0 && count < sizeof bytes &&
         (got = read(fd, bytes + count, sizeof bytes - count)) > 0)
    count += got;
  if (fd >= 0) close(fd);
  fprintf(json, ",\n\"%s\": ", path);
  hex(bytes, count);
}

static void link_target(const char *path) {
  char target[4096];
  ssize_t count = readlink(path, target, sizeof target);
  fprintf(json, ",\n\"%s\": ", path);
  hex(target, count > 0 ? (size_t)count : 0);
}

static void number(const char *name, long value) {
  fprintf(json, ",\n\"%s\": %ld", name, value);
}

static void descriptors(void) {
  fprintf(json, "{\"descriptors\": {");
  const char *comma = "";
  for (int fd = 0; fd < 1024; fd++) {
    int flags = fcntl(fd, F_GETFD);
    if (flags < 0) continue;
    char path[64], target[4096];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    ssize_t count = readlink(path, target, sizeof target);
    fprintf(json, "%s\"%d\": {\"flags\": %d, \"mode\": %d, \"at\": %ld, "
            "\"target\": ", comma, fd, flags, fcntl(fd, F_GETFL),
            (long)lseek(fd, 0, SEEK_CUR));
    hex(target, count > 0 ? (size_t)count : 0);
    fprintf(json, "}");
    comma = ", ";
  }
  fprintf(json, "}");
}

static void words(const char *name, char **list) {
  fprintf(json, ",\n\"%s\": [", name);
  for (char **word = list; *word; word++) {
    if (word != list) fprintf(json, ", ");
    hex(*word, strlen(*word));
  }
  fprintf(json, "]");
}

static void limits(void) {
  fprintf(json, ",\n\"limits\": [");
  for (int which = 0; which < RLIM_NLIMITS; which++) {
    struct rlimit limit = {0, 0};
    getrlimit(which, &limit);
    fprintf(json, "%s[\"%lx\", \"%lx\"]", which ? ", " : "",
            (long)limit.rlim_cur, (long)limit.rlim_max);
  }
  fprintf(json, "]");
}

static void attributes(void) {
  int death_signal = 0, subreaper = 0;
  prctl(PR_GET_PDEATHSIG, &death_signal);
  prctl(PR_GET_CHILD_SUBREAPER, &subreaper);
  number("parent death signal", death_signal);
  number("subreaper", subreaper);
  number("dumpable", prctl(PR_GET_DUMPABLE));
  number("no new privileges", prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0));
  number("keep capabilities", prctl(PR_GET_KEEPCAPS));
  number("securebits", prctl(PR_GET_SECUREBITS));
  number("seccomp", prctl(PR_GET_SECCOMP));
  number("timer slack", prctl(PR_GET_TIMERSLACK));
  number("timestamp counter", prctl(PR_GET_TSC, &subreaper));
  number("huge pages disabled", prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0));
  number("machine check policy", prctl(PR_MCE_KILL_GET, 0, 0, 0, 0));
  number("personality", personality(0xffffffff));
  number("nice", getpriority(PRIO_PROCESS, 0));
  number("scheduling", sched_getscheduler(0));
  number("io priority", syscall(SYS_ioprio_get, 1, 0));
  number("secure", getauxval(AT_SECURE));
  mode_t mask = umask(0);
  umask(mask);
  number("umask", mask);
}

static void family(void) {
  number("pid", getpid());
  number("parent", getppid());
  number("group", getpgrp());
  number("session", getsid(0));
  number("foreground group", tcgetpgrp(0));
  int waited = waitpid(-1, NULL, WNOHANG | __WALL);
  number("children", waited < 0 && errno == ECHILD ? 0 : 1);
  struct rusage usage = {0};
  getrusage(RUSAGE_CHILDREN, &usage);
  number("children's memory", usage.ru_maxrss);
  number("children's faults", usage.ru_minflt + usage.ru_majflt);
}

static void timers(void) {
  const char *names[] = {"real timer", "virtual timer", "profile timer"};
  for (int which = 0; which < 3; which++) {
    struct itimerval timer;
    getitimer(which, &timer);
    // To 50 s: what is compared is whether it was kept, not the moment.
    number(names[which], (timer.it_value.tv_sec + 25) / 50);
    fprintf(json, ",\n\"%s repeats\": %ld", names[which],
            (long)timer.it_interval.tv_sec);
  }
}

int main(int argc, char **argv) {
  json = open_memstream(&text, &text_bytes);
  descriptors();
  family();
  timers();
  attributes();
  limits();
  words("arguments", argv);
  words("environment", environ);
  const char *files[] = {"status", "stat", "environ", "cmdline", "cgroup",
    "oom_score_adj", "coredump_filter", "timerslack_ns", "loginuid",
    "sessionid", "autogroup", "uid_map", "mountinfo", "timers", "attr/current"};
  char path[128];
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    snprintf(path, sizeof path, "/proc/self/%s", files[i]);
    file(path);
  }
  const char *links[] = {"cwd", "root", "exe", "ns/mnt", "ns/pid", "ns/net",
    "ns/ipc", "ns/uts", "ns/user", "ns/cgroup", "ns/time"};
  for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
    snprintf(path, sizeof path, "/proc/self/%s", links[i]);
    link_target(path);
  }
  const char *started_as = (const char *)getauxval(AT_EXECFN);
  fprintf(json, ",\n\"started as\": ");
  hex(started_as, strlen(started_as));
  fprintf(json, "}\n");
  fclose(json);
  int fd = argc > 1 ? open(argv[1], O_WRONLY | O_CREAT | O_TRUNC, 0666) : 1;
  return write(fd, text, text_bytes) == (ssize_t)text_bytes ? 0 : 1;
}
