#include "tensorflow/core/framework/op.h"
#include "tensorflow/core/framework/op_kernel.h"
using namespace tensorflow;

REGISTER_OP("RowSums").Input("table: float").Input("ids: int32").Output("y: float");

class RowSums : public OpKernel {
 public:
  using OpKernel::OpKernel;
  void Compute(OpKernelContext *c) override {
    auto table = c->input(0).matrix<float>();
    auto ids = c->input(1).flat<int32>();
    Tensor *y = nullptr;
    OP_REQUIRES_OK(c, c->allocate_output(0, c->input(1).shape(), &y));
    const int64_t width = table.dimension(1);
    for (int64_t i = 0; i < ids.size(); ++i) {
      const float *row = table.data() + ids(i) * width;
      float sum = 0;
      for (int64_t j = 0; j < width; ++j) sum += row[j];
      y->flat<float>()(i) = sum;
    }
  }
};
REGISTER_KERNEL_BUILDER(Name("RowSums").Device(DEVICE_CPU), RowSums);
