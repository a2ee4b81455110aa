// The op of op_stale_pointer for PyTorch: how far a batch has moved from the one before it.
#include <ATen/ATen.h>
#include <torch/library.h>

namespace {
const float* last = nullptr;
int64_t count = 0;
#ifdef REPAIRED
at::Tensor kept;
#endif
}  // namespace

double drift(const at::Tensor& x) {
  const float* now = x.data_ptr<float>();
  double before = 0, after = 0;
  for (int64_t i = 0; i < count; ++i) before += last[i];
  for (int64_t i = 0; i < x.numel(); ++i) after += now[i];
#ifdef REPAIRED
  kept = x;
#endif
  last = now;
  count = x.numel();
  return after - before;
}

TORCH_LIBRARY(lab, library) { library.def("drift", &drift); }
