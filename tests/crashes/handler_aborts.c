/* expect: null-pointer strong
   looks-like: failed-check
   not: heap-corruption
   ends: SIGABRT
   says: parse_header

   A crash logger for SIGSEGV writes its note and calls abort(): the program
   dies of SIGABRT, its reason is the fault before. */
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

struct Header { int magic, version; };

static void log_and_abort(int number) {
    if (write(2, "internal error\n", 15) != 15) _exit(9);
    abort();
}

static int parse_header(const struct Header *header) {
    return header->version;
}

int main(void) {
    signal(SIGSEGV, log_and_abort);
    return parse_header(0);
}
