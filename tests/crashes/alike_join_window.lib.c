double walk(const double *window, const double *other, long n) {
    double sum = window[0];
    for (long i = 0; i < n; i++) sum += other[i];
    return sum;
}
