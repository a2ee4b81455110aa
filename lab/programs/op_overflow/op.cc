// A smoothing op as one writes it after the tutorial. The output is sized for the input, the loop runs over a window
// that somebody passes as an attribute.
#include "tensorflow/core/framework/op.h"
#include "tensorflow/core/framework/op_kernel.h"

using namespace tensorflow;

REGISTER_OP("Smooth").Input("x: float").Output("y: float").Attr("window: int");

class SmoothOp : public OpKernel {
 public:
  explicit SmoothOp(OpKernelConstruction* context) : OpKernel(context) {
    OP_REQUIRES_OK(context, context->GetAttr("window", &window_));
  }
  void Compute(OpKernelContext* context) override {
    const Tensor& x = context->input(0);
    Tensor* y = nullptr;
    OP_REQUIRES_OK(context, context->allocate_output(0, x.shape(), &y));
    const float* from = x.flat<float>().data();
    float* to = y->flat<float>().data();
#ifdef REPAIRED
    const int64_t last = x.NumElements();
#else
    const int64_t last = window_;
#endif
    for (int64_t i = 0; i < last; ++i) to[i] = from[i % x.NumElements()] * 0.5f;
  }

 private:
  int64_t window_;
};
REGISTER_KERNEL_BUILDER(Name("Smooth").Device(DEVICE_CPU), SmoothOp);
