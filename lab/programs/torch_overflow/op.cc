// The op of op_overflow for PyTorch: the output is sized for the input, the loop runs over a window.
#include <ATen/ATen.h>
#include <torch/library.h>

at::Tensor smooth(const at::Tensor& x, int64_t window) {
  at::Tensor y = at::empty_like(x);
  const float* from = x.data_ptr<float>();
  float* to = y.data_ptr<float>();
#ifdef REPAIRED
  const int64_t last = x.numel();
#else
  const int64_t last = window;
#endif
  for (int64_t i = 0; i < last; ++i) to[i] = from[i % x.numel()] * 0.5f;
  return y;
}

TORCH_LIBRARY(lab, library) { library.def("smooth", &smooth); }
