/* expect: division-by-zero|null-pointer strong
   not: stack-overflow killed-by-process
   ends: SIGSEGV
   says: share

   A division by zero is caught, and the handler itself reads through null: two
   faults, the first is where it began. */
#include <signal.h>

static const char *program_name;
static volatile char initial;

static void report(int number) { initial = program_name[0]; }

static int share(int cake, int guests) { return cake / guests; }

int main(void) {
    signal(SIGFPE, report);
    return share(8, 0);
}
