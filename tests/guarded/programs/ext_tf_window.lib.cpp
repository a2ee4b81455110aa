#include "tensorflow/core/framework/op.h"
#include "tensorflow/core/framework/op_kernel.h"
using namespace tensorflow;

REGISTER_OP("WindowSum").Input("x: float").Attr("window: int").Output("y: float");

class WindowSum : public OpKernel {
 public:
  explicit WindowSum(OpKernelConstruction *c) : OpKernel(c) {
    OP_REQUIRES_OK(c, c->GetAttr("window", &window_));
  }
  void Compute(OpKernelContext *c) override {
    auto x = c->input(0).flat<float>();
    Tensor *y = nullptr;
    OP_REQUIRES_OK(c, c->allocate_output(0, c->input(0).shape(), &y));
    float *out = y->flat<float>().data();
#ifdef REPAIRED
    const int64_t steps = x.size();
#else
    const int64_t steps = x.size() + window_ - 1;
#endif
    float sum = 0;
    for (int64_t i = 0; i < steps; ++i) {
      if (i < x.size()) sum += x(i);
      if (i >= window_) sum -= x(i - window_);
      out[i] = sum;
    }
  }
  int64_t window_;
};
REGISTER_KERNEL_BUILDER(Name("WindowSum").Device(DEVICE_CPU), WindowSum);
