/* Scales n values in place. */
void normalise(float *values, long n, float by) {
  for (long i = 0; i < n; ++i) values[i] /= by;
}
