// One-hot labels. The output has ten places for each label; a label that is not a digit is written wherever it says.
#include "tensorflow/core/framework/op.h"
#include "tensorflow/core/framework/op_kernel.h"

using namespace tensorflow;

REGISTER_OP("Digits").Input("labels: int32").Output("y: float");

class DigitsOp : public OpKernel {
 public:
  using OpKernel::OpKernel;
  void Compute(OpKernelContext* context) override {
    const Tensor& labels = context->input(0);
    const int64_t count = labels.NumElements();
    Tensor* y = nullptr;
    OP_REQUIRES_OK(context, context->allocate_output(0, TensorShape({count, 10}), &y));
    const int32_t* digit = labels.flat<int32>().data();
    float* to = y->flat<float>().data();
    for (int64_t i = 0; i < count * 10; ++i) to[i] = 0;
    for (int64_t i = 0; i < count; ++i) {
#ifdef REPAIRED
      OP_REQUIRES(context, digit[i] >= 0 && digit[i] < 10, errors::InvalidArgument("not a digit: ", digit[i]));
#endif
      for (int32_t d = 0; d <= digit[i]; ++d) to[i * 10 + d] = d == digit[i];
    }
  }
};
REGISTER_KERNEL_BUILDER(Name("Digits").Device(DEVICE_CPU), DigitsOp);
