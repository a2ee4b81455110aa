// TensorFlow builds a graph of a tf.function and runs that, in threads of its own and in an order of its own. Run
// eagerly, each line is executed where it stands: what dies only in the graph is the graph's doing (a rewritten or
// fused operation, a race between two of them), and an exception that escaped there becomes readable.
#include "experiment/python_code.h"
#include "experiment/subject.h"

namespace sigwhy::experiment::variations {

static Plan plan(const Subject& subject) {
  if (!has_death(subject)) return std::unexpected("it did not die");
  if (!has_package(subject, "tensorflow") && !has_library(subject, "libtensorflow"))
    return std::unexpected("TensorFlow was not loaded");
  Planned planned{.words = "with tf.function run eagerly",
                  .prediction = "without graphs it does not die",
                  .rival = "eager execution also runs other kernels, in fewer threads",
                  .fix = "tf.config.run_functions_eagerly(True) avoids it at the price of speed",
                  .rank = 40,
                  .why = "TensorFlow was loaded"};
  planned.change.start_up = after_import("tensorflow", "module.config.run_functions_eagerly(True)");
  return planned;
}

extern const Variation eager;
const Variation eager = {.title = "eager instead of graphs", .plan = plan};

}  // namespace sigwhy::experiment::variations
