#include <cstddef>

extern "C" float *buffer_open(size_t count) { return new float[count](); }
extern "C" void buffer_close(float *buffer) { delete[] buffer; }
