/* expect: out-of-bounds plausible
   at-most: plausible
   looks-like: wild-pointer
   not: null-pointer use-after-free
   ends: SIGSEGV
   build: -O2

   A negative row number of a table that has a mapping of its own: the sum lies
   745 GiB below everything that is mapped there. */
#include <vector>

__attribute__((noipa)) static double first_of(const double *row) { return row[0]; }

__attribute__((noipa)) static void wash() {
    __asm__ volatile("xor %%eax, %%eax; mov %%rax, %%rcx; mov %%rax, %%rdx; mov %%rax, %%rsi; mov %%rax, %%rdi;"
                     "mov %%rax, %%r8; mov %%rax, %%r9; mov %%rax, %%r10; mov %%rax, %%r11"
                     ::: "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11");
}

__attribute__((noipa)) static double lookup(const std::vector<double> &table, const std::vector<long> &rows, int which) {
    const double *row = table.data() + rows[which];
    wash();
    return first_of(row);
}

int main() {
    std::vector<double> table(1 << 20);
    std::vector<long> rows = {0, -100000000000};
    return static_cast<int>(lookup(table, rows, 0) + lookup(table, rows, 1));
}
