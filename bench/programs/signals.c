// Sends itself signals that it handles: each is a stop for a tracer.
#include <signal.h>
#include <stdlib.h>

static volatile sig_atomic_t seen;
static void count(int number) { seen += number != 0; }

int main(int argc, char** argv) {
  const long signals = 50000L * (argc > 1 ? atoi(argv[1]) : 1);
  signal(SIGUSR1, count);
  for (long i = 0; i < signals; i++) raise(SIGUSR1);
  return seen != signals;
}
