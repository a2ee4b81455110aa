// How many whole batches there are.
#include "tensorflow/core/framework/op.h"
#include "tensorflow/core/framework/op_kernel.h"

using namespace tensorflow;

REGISTER_OP("Batches").Input("x: float").Input("size: int32").Output("count: int32");

class BatchesOp : public OpKernel {
 public:
  using OpKernel::OpKernel;
  void Compute(OpKernelContext* context) override {
    const int32_t size = context->input(1).scalar<int32>()();
#ifdef REPAIRED
    OP_REQUIRES(context, size > 0, errors::InvalidArgument("a batch of ", size, " images"));
#endif
    Tensor* count = nullptr;
    OP_REQUIRES_OK(context, context->allocate_output(0, TensorShape({}), &count));
    count->scalar<int32>()() = static_cast<int32_t>(context->input(0).dim_size(0)) / size;
  }
};
REGISTER_KERNEL_BUILDER(Name("Batches").Device(DEVICE_CPU), BatchesOp);
