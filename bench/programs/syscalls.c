// Short system calls, back to back: a tracer that stopped at each would show here.
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char** argv) {
  const long calls = 10000000L * (argc > 1 ? atoi(argv[1]) : 1);
  for (long i = 0; i < calls; i++) syscall(SYS_getppid);
  return 0;
}
