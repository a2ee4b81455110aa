#include <cstdlib>

#include <ATen/ATen.h>
#include <torch/library.h>

static void give_back(void *data) {
#ifdef REPAIRED
    delete[] static_cast<float *>(data);
#else
    free(data);
#endif
}

at::Tensor ramp(int64_t n) {
    float *data = new float[n];
    for (int64_t i = 0; i < n; i++) data[i] = i;
    return at::from_blob(data, {n}, give_back, at::kFloat);
}

TORCH_LIBRARY(guarded, m) { m.def("ramp(int n) -> Tensor", &ramp); }
