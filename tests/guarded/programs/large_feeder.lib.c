static const float *kept;
static long kept_count;

void feeder_start(const float *data, long count) {
    kept = data;
    kept_count = count;
}

double feeder_next(void) {
    double sum = 0;
    for (long i = 0; i < kept_count; i++) sum += kept[i];
    return sum;
}
