/* A data feeder in C that calls back for each value. */
static float (*scale)(float);

void feeder_on_pixel(float (*function)(float)) { scale = function; }

float feeder_run(const float *pixels, long count) {
  float sum = 0;
  for (long i = 0; i < count; ++i) sum += scale(pixels[i]);
  return sum;
}
