// The custom operator as it is printed in an answer to question 4. One character is changed so that it compiles:
// context->input(0) is a reference, and was used as a pointer.
#include "tensorflow/core/framework/op.h"
#include "tensorflow/core/framework/op_kernel.h"

using namespace tensorflow;

REGISTER_OP("MyCustomOp")
    .Input("input: float")
    .Output("output: float");

class MyCustomOpOp : public OpKernel {
 public:
  explicit MyCustomOpOp(OpKernelConstruction* context) : OpKernel(context) {}

  void Compute(OpKernelContext* context) override {
#ifdef REPAIRED
    Tensor* output = nullptr;
    OP_REQUIRES_OK(context, context->allocate_output(0, TensorShape({}), &output));
    output->scalar<float>()() = context->input(0).flat<float>()(0) * 2.0f;
#else
    // Incorrect: potential memory leak or dangling pointer
    float* input_data = (float*) context->input(0).flat<float>().data();
    float* output_data = new float; // Memory leak; allocation not handled
    *output_data = *input_data * 2.0f;
    context->set_output(0, Tensor(DT_FLOAT, TensorShape({}))); //Output tensor is created, but data is not properly copied.
    delete output_data;  // Correct, but doesn't prevent the issue

    context->set_output(0, Tensor(DT_FLOAT, TensorShape({}))); //Output tensor is created, but data is not properly copied.
#endif
  }
};

REGISTER_KERNEL_BUILDER(Name("MyCustomOp").Device(DEVICE_CPU), MyCustomOpOp);
