#include <vector>

#include <ATen/ATen.h>
#include <torch/library.h>

// The positions of a sinusoidal table.
at::Tensor positions(int64_t n) {
    std::vector<float> table(n);
    for (int64_t i = 0; i < n; i++) table[i] = 0.01f * i;
    at::Tensor view = at::from_blob(table.data(), {n}, at::kFloat);
#ifdef REPAIRED
    return view.clone();
#else
    return view;
#endif
}

TORCH_LIBRARY(guarded, m) { m.def("positions(int n) -> Tensor", &positions); }
