/* expect: stack-overflow strong
   not: null-pointer
   looks-like: out-of-bounds
   ends: SIGSEGV
   says: log_path

   Each level formats a string, and it is a libc function far from any recursion
   of its own that meets the end of the stack. */
#include <stdio.h>

static int log_path(int depth) {
    char line[64];
    int written = snprintf(line, sizeof line, "%*d %f", 8, depth, 0.1 * depth);
    return written + log_path(depth + 1) + line[0];
}

int main(void) { return log_path(0); }
