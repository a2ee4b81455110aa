// The guarded heap with the inaccessible page in front of each block: for what is read or written before its start.
// An index of -1 is a mistake like any other, but a page behind the block never sees it.
#include "experiment/settle.h"
#include "experiment/subject.h"

namespace sigwhy::experiment::variations {

static Plan plan(const Subject& subject) {
  if (!guard_may_tell(subject)) return std::unexpected("the death is no bad access to memory");
  Planned planned{.words = "with the guard in front of each block",
                  .cause = has_death(subject) ? verdict_of(subject) : Cause::unknown,
                  .prediction = "an access before the start of a block is caught where it happens",
                  .effect = Effect::caught,
                  .rank = 90,
                  .why = "it catches what is read or written before the start of a block",
                  .observes = [](const Trial& trial) { return caught_by_guard(trial.result.diagnosis) != nullptr; },
                  .objection = guard_was_missing};
  planned.change.run_options = {"--guard=before"};
  if (runs_python(subject)) planned.change.set = {{"TF_ENABLE_ONEDNN_OPTS", "0"}};
  return planned;
}

extern const Variation guarded_before;
const Variation guarded_before = {.title = "guarded heap, page in front", .plan = plan};

}  // namespace sigwhy::experiment::variations
