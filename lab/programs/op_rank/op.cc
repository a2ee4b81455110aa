// The sum of the first row.
#include "tensorflow/core/framework/op.h"
#include "tensorflow/core/framework/op_kernel.h"

using namespace tensorflow;

REGISTER_OP("FirstRow").Input("x: float").Output("y: float");

class FirstRowOp : public OpKernel {
 public:
  using OpKernel::OpKernel;
  void Compute(OpKernelContext* context) override {
    const Tensor& x = context->input(0);
#ifdef REPAIRED
    OP_REQUIRES(context, x.dims() == 2, errors::InvalidArgument("a matrix is wanted, not ", x.shape().DebugString()));
#endif
    Tensor* y = nullptr;
    OP_REQUIRES_OK(context, context->allocate_output(0, TensorShape({}), &y));
    const auto rows = x.matrix<float>();
    float sum = 0;
    for (int64_t i = 0; i < x.dim_size(1); ++i) sum += rows(0, i);
    y->scalar<float>()() = sum;
  }
};
REGISTER_KERNEL_BUILDER(Name("FirstRow").Device(DEVICE_CPU), FirstRowOp);
