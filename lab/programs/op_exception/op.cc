// Reads a list of numbers out of a string, with the standard library's own parser, which throws.
#include <string>

#include "tensorflow/core/framework/op.h"
#include "tensorflow/core/framework/op_kernel.h"

using namespace tensorflow;

REGISTER_OP("Parse").Input("text: string").Output("y: float");

class ParseOp : public OpKernel {
 public:
  using OpKernel::OpKernel;
  void Compute(OpKernelContext* context) override {
    const auto text = context->input(0).flat<tstring>();
    Tensor* y = nullptr;
    OP_REQUIRES_OK(context, context->allocate_output(0, context->input(0).shape(), &y));
    for (int64_t i = 0; i < text.size(); ++i) {
#ifdef REPAIRED
      try {
        y->flat<float>()(i) = std::stof(std::string(text(i).data(), text(i).size()));
      } catch (const std::exception&) {
        context->CtxFailure(errors::InvalidArgument("not a number: ", std::string(text(i).data(), text(i).size())));
        return;
      }
#else
      y->flat<float>()(i) = std::stof(std::string(text(i).data(), text(i).size()));
#endif
    }
  }
};
REGISTER_KERNEL_BUILDER(Name("Parse").Device(DEVICE_CPU), ParseOp);
