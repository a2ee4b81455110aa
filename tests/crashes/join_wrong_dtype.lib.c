double pick(const double *values, long index) { return values[index]; }
