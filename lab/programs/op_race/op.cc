// Which pixels are ink. TensorFlow's own threads look at a part of the batch each, and note what they find in one list.
#include <mutex>
#include <vector>

#include "tensorflow/core/framework/op.h"
#include "tensorflow/core/framework/op_kernel.h"
#include "tensorflow/core/util/work_sharder.h"

using namespace tensorflow;

REGISTER_OP("Ink").Input("x: float").Output("count: int64");

class InkOp : public OpKernel {
 public:
  using OpKernel::OpKernel;
  void Compute(OpKernelContext* context) override {
    const auto pixels = context->input(0).flat<float>();
    std::vector<int64_t> ink;
    std::mutex guard;
    const auto look = [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        if (pixels(i) < 0.2f) continue;
#ifdef REPAIRED
        const std::lock_guard<std::mutex> lock(guard);
#endif
        ink.push_back(i);
      }
    };
    const auto& threads = *context->device()->tensorflow_cpu_worker_threads();
    Shard(threads.num_threads, threads.workers, pixels.size(), 1000, look);
    Tensor* count = nullptr;
    OP_REQUIRES_OK(context, context->allocate_output(0, TensorShape({}), &count));
    count->scalar<int64_t>()() = ink.size();
  }
};
REGISTER_KERNEL_BUILDER(Name("Ink").Device(DEVICE_CPU), InkOp);
