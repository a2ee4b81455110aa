/* A data feeder in C: it is told once where the images are, and asked for their mean when a batch is wanted. */
static const float *images;
static long count;

void feeder_use(const float *first, long n) {
  images = first;
  count = n;
}

float feeder_mean(void) {
  double sum = 0;
  for (long i = 0; i < count; ++i) sum += images[i];
  return sum / count;
}
