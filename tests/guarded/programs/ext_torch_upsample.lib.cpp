#include <ATen/ATen.h>
#include <torch/library.h>

// Every value twice, and one more at the end so that pairs can be averaged.
at::Tensor upsample(const at::Tensor &x) {
    const int64_t n = x.numel();
    at::Tensor from = x.contiguous();
#ifdef REPAIRED
    at::Tensor to = at::empty({2 * n + 1}, x.options());
#else
    at::Tensor to = at::empty({2 * n}, x.options());
#endif
    const float *in = from.data_ptr<float>();
    float *out = to.data_ptr<float>();
    for (int64_t i = 0; i < n; i++) out[2 * i] = out[2 * i + 1] = in[i];
    out[2 * n] = in[n - 1];
    return to;
}

TORCH_LIBRARY(guarded, m) { m.def("upsample(Tensor x) -> Tensor", &upsample); }
