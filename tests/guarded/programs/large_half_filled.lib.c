void gather(double *to, const double *from, const long *order, long count) {
    for (long i = 0; i < count; i++) to[i] = from[order[i]];
}
