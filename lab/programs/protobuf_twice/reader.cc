// One of two libraries that were each built with the generated code of one and the same message.
#include "batch.pb.h"

extern "C" long NAME(int pixels) {
  lab::Batch batch;
  for (int i = 0; i < pixels; ++i) batch.add_pixels(1);
  return static_cast<long>(batch.ByteSizeLong());
}
