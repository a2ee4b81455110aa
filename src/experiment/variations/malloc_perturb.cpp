// MALLOC_PERTURB_=N makes glibc fill new blocks with the complement of N and freed ones with N. A program that reads
// what it never wrote, or what it gave back, then reads something else than before: it dies where it did not, or no
// longer dies. One that does neither is not moved at all.
#include "experiment/subject.h"

namespace sigwhy::experiment::variations {

static Plan plan(const Subject& subject) {
  if (has_death(subject) && !may_be_memory_fault(subject))
    return std::unexpected("the death is no bad access to memory");
  if (variable(subject.recipe, "MALLOC_PERTURB_")) return std::unexpected("MALLOC_PERTURB_ was set already");
  Planned planned{.words = "with memory filled by MALLOC_PERTURB_",
                  .cause = Cause::uninitialised_read,
                  .prediction = "with other contents of new and freed memory it dies elsewhere or not at all",
                  .effect = Effect::moves,
                  .claim = "it depends on what stands in memory that it never wrote or gave back before",
                  .rival = "memory that was given back and is used again: both are filled",
                  .rank = 50,
                  .why = "new and freed memory gets other contents"};
  planned.change.set = {{"MALLOC_PERTURB_", "165"}};
  if (runs_python(subject)) planned.change.set.emplace_back("PYTHONMALLOC", "malloc");
  return planned;
}

extern const Variation malloc_perturb;
const Variation malloc_perturb = {.title = "MALLOC_PERTURB_", .plan = plan};

}  // namespace sigwhy::experiment::variations
