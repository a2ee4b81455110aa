/* expect: bad-jump|stack-smashed strong
   looks-like: wild-pointer
   not: null-pointer
   ends: SIGSEGV
   build: -O1

   An off-by-a-few write replaces the return address by a number that is a
   canonical address of nothing: the program returns to it. */
static void store(volatile long *values, int index, long value) {
    values[index] = value;
}

__attribute__((noipa)) static int collect(int count) {
    volatile long values[4];
    for (int i = 0; i < count; i++) store(values, i, 0x00001badc0de0000 + i);
    return 1;
}

int main(void) {
    collect(12);
    return 0;
}
