#include "tensorflow/core/framework/op.h"
#include "tensorflow/core/framework/op_kernel.h"
using namespace tensorflow;

REGISTER_OP("Momentum").Input("x: float").Output("y: float").SetIsStateful();

class Momentum : public OpKernel {
 public:
  using OpKernel::OpKernel;
  void Compute(OpKernelContext *c) override {
    const Tensor &x = c->input(0);
    Tensor *y = nullptr;
    OP_REQUIRES_OK(c, c->allocate_output(0, TensorShape({}), &y));
    float sum = 0;
    for (int64_t i = 0; i < count_; ++i) sum += 0.9f * last_[i];
    y->scalar<float>()() = sum;
#ifdef REPAIRED
    kept_ = x;
#endif
    last_ = x.flat<float>().data();
    count_ = x.NumElements();
  }
  Tensor kept_;
  const float *last_ = nullptr;
  int64_t count_ = 0;
};
REGISTER_KERNEL_BUILDER(Name("Momentum").Device(DEVICE_CPU), Momentum);
