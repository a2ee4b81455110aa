// Starts itself again and waits, as a shell script or a build does.
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char** argv) {
  const long count = 600L * (argc > 1 ? atoi(argv[1]) : 1);
  if (count == 0) return 0;
  for (long i = 0; i < count; i++) {
    const pid_t child = fork();
    if (child == 0) {
      execl("/proc/self/exe", argv[0], "0", (char*)NULL);
      _exit(1);
    }
    int status = 0;
    if (waitpid(child, &status, 0) != child || status) return 1;
  }
  return 0;
}
