// How far a batch has moved from the one before it. The kernel lives as long as the program, the input only as long as
// somebody refers to it.
#include "tensorflow/core/framework/op.h"
#include "tensorflow/core/framework/op_kernel.h"

using namespace tensorflow;

REGISTER_OP("Drift").Input("x: float").Output("y: float").SetIsStateful();

class DriftOp : public OpKernel {
 public:
  using OpKernel::OpKernel;
  void Compute(OpKernelContext* context) override {
    const Tensor& x = context->input(0);
    Tensor* y = nullptr;
    OP_REQUIRES_OK(context, context->allocate_output(0, TensorShape({}), &y));
    const float* now = x.flat<float>().data();
    float before = 0, after = 0;
    for (int64_t i = 0; i < count_; ++i) before += last_[i];
    for (int64_t i = 0; i < x.NumElements(); ++i) after += now[i];
    y->scalar<float>()() = after - before;
#ifdef REPAIRED
    kept_ = x;
#endif
    last_ = now;
    count_ = x.NumElements();
  }

 private:
#ifdef REPAIRED
  Tensor kept_;
#endif
  const float* last_ = nullptr;
  int64_t count_ = 0;
};
REGISTER_KERNEL_BUILDER(Name("Drift").Device(DEVICE_CPU), DriftOp);
