// Nothing is changed: does it die again, and how often? Everything else is compared with these runs.
#include "experiment/subject.h"

namespace sigwhy::experiment::variations {

static Plan plan(const Subject& subject) {
  if (!has_death(subject)) return std::unexpected("it did not die");
  return Planned{.words = "the same again",
                 .prediction = "it dies again",
                 .effect = Effect::again,
                 .rank = 1000,
                 .why = "everything else is compared with it"};
}

extern const Variation same_again;
const Variation same_again = {.title = "the same again", .plan = plan};

}  // namespace sigwhy::experiment::variations
