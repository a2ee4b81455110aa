#include "tensorflow/core/framework/op.h"
#include "tensorflow/core/framework/op_kernel.h"
using namespace tensorflow;

REGISTER_OP("Padded").Input("x: float").Output("y: float");

class Padded : public OpKernel {
 public:
  using OpKernel::OpKernel;
  void Compute(OpKernelContext *c) override {
    auto x = c->input(0).flat<float>();
    Tensor *y = nullptr;
    OP_REQUIRES_OK(c, c->allocate_output(0, TensorShape({}), &y));
    Tensor work;
#ifdef REPAIRED
    const int64_t room = (x.size() + 3) / 4 * 4;
#else
    const int64_t room = x.size();
#endif
    OP_REQUIRES_OK(c, c->allocate_temp(DT_FLOAT, TensorShape({room}), &work));
    float *padded = work.flat<float>().data();
    for (int64_t i = 0; i < x.size(); ++i) padded[i] = x(i);
    for (int64_t i = x.size(); i % 4 != 0; ++i) padded[i] = 0;
    float sum = 0;
    for (int64_t i = 0; i < x.size(); ++i) sum += padded[i];
    y->scalar<float>()() = sum;
  }
};
REGISTER_KERNEL_BUILDER(Name("Padded").Device(DEVICE_CPU), Padded);
