/* expect: out-of-bounds|stack-smashed strong
   looks-like: stack-overflow
   not: null-pointer
   ends: SIGSEGV
   build: -O2
   says: fill_line

   A loop writes upwards from a local array until the stack mapping ends. The
   fault is at the stack's other end: nothing overflowed. */
__attribute__((noipa)) static void fill_line(volatile char *line, long width) {
    for (long i = 0; i < width; i++) line[i] = '-';
}

int main(void) {
    volatile char line[80];
    fill_line(line, 1L << 30);
    return line[0];
}
