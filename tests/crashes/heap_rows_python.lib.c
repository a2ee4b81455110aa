#include <stdlib.h>

int pad_rows(int rows, int width) {
    long **table = calloc(rows, sizeof *table);
    for (int i = 0; i < rows; i++) table[i] = malloc(width * sizeof(long) + 8);
    for (int i = 0; i < rows; i++)
        for (int k = 0; k <= width + 1; k++) table[i][k] = 0x2020;
    for (int i = 0; i < rows; i++) free(table[i]);
    return rows;
}
