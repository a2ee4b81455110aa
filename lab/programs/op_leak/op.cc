// Centres a batch of images. It works on a copy of its own.
#include "tensorflow/core/framework/op.h"
#include "tensorflow/core/framework/op_kernel.h"

using namespace tensorflow;

REGISTER_OP("Centre").Input("x: float").Output("y: float");

class CentreOp : public OpKernel {
 public:
  using OpKernel::OpKernel;
  void Compute(OpKernelContext* context) override {
    const Tensor& x = context->input(0);
    Tensor* y = nullptr;
    OP_REQUIRES_OK(context, context->allocate_output(0, x.shape(), &y));
    const int64_t count = x.NumElements();
    const float* from = x.flat<float>().data();
    float* to = y->flat<float>().data();
    float* scratch = new float[count];
    float sum = 0;
    for (int64_t i = 0; i < count; ++i) sum += scratch[i] = from[i];
    for (int64_t i = 0; i < count; ++i) to[i] = scratch[i] - sum / count;
#ifdef REPAIRED
    delete[] scratch;
#endif
  }
};
REGISTER_KERNEL_BUILDER(Name("Centre").Device(DEVICE_CPU), CentreOp);
