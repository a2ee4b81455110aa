double sum_rows(const double *rows, long count) {
    double sum = 0;
    for (long i = 0; i < count; i++) sum += rows[i];
    return sum;
}
