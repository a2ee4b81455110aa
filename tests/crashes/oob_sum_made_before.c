/* expect: out-of-bounds plausible
   at-most: plausible
   looks-like: wild-pointer
   not: null-pointer use-after-free bit-flip
   ends: SIGSEGV
   build: -O2
   says: index may be far out of bounds

   The row's address was computed by the caller and neither base nor index is in
   a register any more; only a sum leads to an address 373 GiB behind the heap. */
#include <stdlib.h>

__attribute__((noipa)) static float first_of(const float *row) { return row[0]; }

__attribute__((noipa)) static void wash(void) {
    __asm__ volatile("xor %%eax, %%eax; mov %%rax, %%rcx; mov %%rax, %%rdx; mov %%rax, %%rsi; mov %%rax, %%rdi;"
                     "mov %%rax, %%r8; mov %%rax, %%r9; mov %%rax, %%r10; mov %%rax, %%r11"
                     ::: "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11");
}

__attribute__((noipa)) static float lookup(const float *table, const long *rows, int which) {
    const float *row = table + rows[which];
    wash();
    return first_of(row);
}

int main(void) {
    float *table = calloc(1000, sizeof *table);
    long *rows = calloc(2, sizeof *rows);
    rows[1] = 100000000000;
    return (int)(lookup(table, rows, 0) + lookup(table, rows, 1));
}
