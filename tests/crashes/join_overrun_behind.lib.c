void cumulate(const float *from, double *into, long n) {
    double sum = 0;
    for (long i = 0; i < n; i++) into[i] = sum += from[i];
}
