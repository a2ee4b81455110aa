// Every block of the heap ends at an inaccessible page and stays inaccessible after its free. A bad access that reads
// on for a while, or damages what is used much later, is caught at once, and the block that it missed is named.
// TensorFlow keeps tensors of 256 KiB and more in a pool of its own while oneDNN is on (seen in 2.21: such a tensor
// lies in the middle of a block of 2 MiB); without oneDNN each tensor is a block of its own. Python's pools of small
// objects are left for guarded_objects: four times as many blocks use up what pages and records there are.
#include "experiment/settle.h"
#include "experiment/subject.h"

namespace sigwhy::experiment::variations {

static Plan plan(const Subject& subject) {
  if (!guard_may_tell(subject)) return std::unexpected("the death is no bad access to memory");
  Planned planned{.words = "on the guarded heap",
                  .cause = has_death(subject) ? verdict_of(subject) : Cause::unknown,
                  .prediction = "the bad access is caught where it happens, and the block is named",
                  .effect = Effect::caught,
                  .rank = 100,
                  .why = "it catches a bad access where it happens, and names the block",
                  .observes = [](const Trial& trial) { return caught_by_guard(trial.result.diagnosis) != nullptr; },
                  .objection = guard_was_missing};
  planned.change.run_options = {"--guard=all"};
  if (runs_python(subject)) planned.change.set = {{"TF_ENABLE_ONEDNN_OPTS", "0"}};
  return planned;
}

extern const Variation guarded_heap;
const Variation guarded_heap = {.title = "guarded heap", .plan = plan};

}  // namespace sigwhy::experiment::variations
