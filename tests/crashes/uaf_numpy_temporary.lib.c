static const double *kept;
static long length;
void keep(const double *data, long count) {
    kept = data;
    length = count;
}
double later(void) {
    double sum = 0;
    for (long i = 0; i < length; i++) sum += kept[i];
    return sum;
}
