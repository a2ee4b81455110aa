/* expect: unknown|wild-pointer|use-after-free weak
   at-most: plausible
   looks-like: out-of-bounds
   not: null-pointer
   ends: SIGSEGV
   says: swap_row

   A number in a register is nearly the distance from the heap, but neither
   counted from zero nor from one. */
#include <stdlib.h>

__attribute__((noipa)) static double swap_row(const double *row, const double *matrix, long pivot) {
    return *row + matrix[0] * (double)pivot;
}

int main(void) {
    double *matrix = calloc(100, sizeof *matrix);
    const long pivot = 90000001;
    return (int)swap_row(matrix + pivot - 3, matrix, pivot);
}
