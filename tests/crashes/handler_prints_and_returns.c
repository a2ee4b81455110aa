/* expect: null-pointer strong
   not: killed-by-process failed-check
   ends: SIGSEGV
   says: area_of

   The handler prints a line, restores the default and returns: the instruction
   runs again and faults a second time, now for good. */
#include <signal.h>
#include <unistd.h>

struct Box { int width, height; };

static void note(int number) {
    if (write(2, "crashed\n", 8) != 8) _exit(9);
    signal(number, SIG_DFL);
}

static int area_of(const struct Box *box) { return box->width * box->height; }

int main(void) {
    signal(SIGSEGV, note);
    return area_of(0);
}
