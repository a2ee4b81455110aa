// The brightest pixel. The search begins with the first one, and an empty batch has none: its data is a null pointer.
#include "tensorflow/core/framework/op.h"
#include "tensorflow/core/framework/op_kernel.h"

using namespace tensorflow;

REGISTER_OP("Brightest").Input("x: float").Output("y: float");

class BrightestOp : public OpKernel {
 public:
  using OpKernel::OpKernel;
  void Compute(OpKernelContext* context) override {
    const Tensor& x = context->input(0);
    Tensor* y = nullptr;
    OP_REQUIRES_OK(context, context->allocate_output(0, TensorShape({}), &y));
    const float* pixel = x.flat<float>().data();
#ifdef REPAIRED
    OP_REQUIRES(context, x.NumElements() > 0, errors::InvalidArgument("no images"));
#endif
    float most = *pixel;
    for (int64_t i = 1; i < x.NumElements(); ++i) most = pixel[i] > most ? pixel[i] : most;
    y->scalar<float>()() = most;
  }
};
REGISTER_KERNEL_BUILDER(Name("Brightest").Device(DEVICE_CPU), BrightestOp);
