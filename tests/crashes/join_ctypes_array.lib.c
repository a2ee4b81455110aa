int last(const int *values, long n) { return values[n - 1]; }
