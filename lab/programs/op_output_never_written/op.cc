// Order by brightness, and taking in that order. An image whose brightness is not a number is never entered, so its
// place in the output holds what was there before.
#include "tensorflow/core/framework/op.h"
#include "tensorflow/core/framework/op_kernel.h"

using namespace tensorflow;

REGISTER_OP("Order").Input("brightness: float").Output("order: int32");
REGISTER_OP("Take").Input("x: float").Input("order: int32").Output("y: float");

class OrderOp : public OpKernel {
 public:
  using OpKernel::OpKernel;
  void Compute(OpKernelContext* context) override {
    const Tensor& brightness = context->input(0);
    Tensor* order = nullptr;
    OP_REQUIRES_OK(context, context->allocate_output(0, brightness.shape(), &order));
    const float* value = brightness.flat<float>().data();
    int32_t* to = order->flat<int32>().data();
    const int64_t count = brightness.NumElements();
#ifdef REPAIRED
    for (int64_t i = 0; i < count; ++i) to[i] = 0;
#endif
    for (int64_t i = 0; i < count; ++i) {
      if (!(value[i] >= 0)) continue;
      int64_t rank = 0;
      for (int64_t j = 0; j < count; ++j) rank += value[j] < value[i] || (value[j] == value[i] && j < i);
      to[rank] = i;
    }
  }
};
REGISTER_KERNEL_BUILDER(Name("Order").Device(DEVICE_CPU), OrderOp);

class TakeOp : public OpKernel {
 public:
  using OpKernel::OpKernel;
  void Compute(OpKernelContext* context) override {
    const Tensor& order = context->input(1);
    Tensor* y = nullptr;
    OP_REQUIRES_OK(context, context->allocate_output(0, order.shape(), &y));
    const float* from = context->input(0).flat<float>().data();
    const int32_t* at = order.flat<int32>().data();
    float* to = y->flat<float>().data();
    for (int64_t i = 0; i < order.NumElements(); ++i) to[i] = from[at[i]];
  }
};
REGISTER_KERNEL_BUILDER(Name("Take").Device(DEVICE_CPU), TakeOp);
