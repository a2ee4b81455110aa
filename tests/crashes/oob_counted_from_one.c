/* expect: out-of-bounds strong
   not: use-after-free wild-pointer
   ends: SIGSEGV
   says: swap_row
   says: counted from one

   LAPACK's way: a wrong pivot, counted from one, chooses the row; the address
   is made by the caller, matrix and pivot are still in registers. */
#include <stdlib.h>

__attribute__((noipa)) static double swap_row(const double *row, const double *matrix, long pivot) {
    return *row + matrix[0] * (double)pivot;
}

int main(void) {
    double *matrix = calloc(100, sizeof *matrix);
    const long pivot = 90000001;
    return (int)swap_row(matrix + pivot - 1, matrix, pivot);
}
