// The guarded heap, with Python's objects on it too. Python keeps what is smaller than 512 bytes in pools of its own,
// where the guard cannot stand between two of them; PYTHONMALLOC=malloc hands each to the C heap. A program that
// imports a framework has millions of them, so that blocks made late may find no page left: hence not the first try.
#include "experiment/settle.h"
#include "experiment/subject.h"

namespace sigwhy::experiment::variations {

static Plan plan(const Subject& subject) {
  if (!guard_may_tell(subject)) return std::unexpected("the death is no bad access to memory");
  if (!runs_python(subject)) return std::unexpected("it runs no Python");
  if (variable(subject.recipe, "PYTHONMALLOC")) return std::unexpected("PYTHONMALLOC was set already");
  Planned planned{.words = "with Python's objects on the guarded heap",
                  .cause = has_death(subject) ? verdict_of(subject) : Cause::unknown,
                  .prediction = "the bad access to an object's memory is caught where it happens",
                  .effect = Effect::caught,
                  .rank = 88,
                  .why = "it catches a bad access to the memory of Python's own objects",
                  .observes = [](const Trial& trial) { return caught_by_guard(trial.result.diagnosis) != nullptr; },
                  .objection = guard_was_missing};
  planned.change.run_options = {"--guard=all"};
  planned.change.set = {{"PYTHONMALLOC", "malloc"}};
  return planned;
}

extern const Variation guarded_objects;
const Variation guarded_objects = {.title = "guarded heap, Python's objects", .plan = plan};

}  // namespace sigwhy::experiment::variations
