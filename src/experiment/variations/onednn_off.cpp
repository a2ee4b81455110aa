// oneDNN brings its own kernels for matrix products and convolutions, written at run time for the processor at hand.
// TensorFlow and torch do without it when told so; what then no longer dies, dies in such a kernel or in how it is
// called.
#include "experiment/python_code.h"
#include "experiment/subject.h"

namespace sigwhy::experiment::variations {

static Plan plan(const Subject& subject) {
  const bool tensorflow = has_package(subject, "tensorflow") || has_library(subject, "libtensorflow");
  const bool torch = has_package(subject, "torch") || has_library(subject, "libtorch");
  if (!has_death(subject)) return std::unexpected("it did not die");
  if (!tensorflow && !torch) return std::unexpected("neither TensorFlow nor torch was loaded");
  Planned planned{.words = "without oneDNN",
                  .prediction = "without oneDNN's kernels it does not die",
                  .rival = "other kernels also use memory and threads differently",
                  .fix = tensorflow ? "TF_ENABLE_ONEDNN_OPTS=0 in the environment" : "torch.backends.mkldnn.enabled = False",
                  .rank = 35,
                  .why = tensorflow ? "TensorFlow was loaded" : "torch was loaded"};
  planned.change.set = {{"TF_ENABLE_ONEDNN_OPTS", "0"}};
  if (torch) planned.change.start_up = after_import("torch", "module.backends.mkldnn.enabled = False");
  return planned;
}

extern const Variation onednn_off;
const Variation onednn_off = {.title = "oneDNN off", .plan = plan};

}  // namespace sigwhy::experiment::variations
