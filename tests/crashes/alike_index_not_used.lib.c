__attribute__((noipa)) static float weight_of(const float *table) { return *table; }
double weigh(const float *table, const long *times, long count) {
    double sum = 0;
    for (long i = 0; i < count; i++) sum += (double)times[i];
    return sum * weight_of(table);
}
