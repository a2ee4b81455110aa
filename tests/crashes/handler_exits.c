/* expect: null-pointer|none strong
   looks-like: failed-check
   ends: exit 1
   says: read_cell

   The handler writes a note and leaves with 1: no signal is left in the wait
   status. To know more than "an error" is worth a report, silence is
   allowed. */
#include <signal.h>
#include <unistd.h>

static void note_and_leave(int number) {
    _exit(write(2, "an error occurred\n", 18) != 18 ? 9 : 1);
}

static int read_cell(const int *cells, int index) { return cells[index]; }

int main(void) {
    signal(SIGSEGV, note_and_leave);
    return read_cell(0, 5);
}
