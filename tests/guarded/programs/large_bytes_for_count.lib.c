double total(const short *samples, long count) {
    double sum = 0;
    for (long i = 0; i < count; i++) sum += samples[i];
    return sum;
}
