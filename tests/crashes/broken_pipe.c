/* expect: unknown weak
   looks-like: killed-by-process
   not: disk-full resource-limit killed-by-user
   ends: SIGPIPE
   says: print_rows

   The reader has gone, as with `| head`: the kernel's SIGPIPE in the middle of
   a write looks as if the program had sent it to itself (SI_USER, own pid). */
#include <unistd.h>

static long print_rows(int out) {
    long written = 0;
    for (int i = 0; i < 10; i++) written += write(out, "row\n", 4);
    return written;
}

int main(void) {
    int ends[2];
    if (pipe(ends)) return 1;
    close(ends[0]);
    return print_rows(ends[1]) > 0;
}
