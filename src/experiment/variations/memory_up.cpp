// Twice the memory. What was killed at its limit lives on if that limit was the reason; and if it then needed more
// than the old limit allowed, the limit was the reason and nothing else can have been.
#include <fmt/format.h>

#include "experiment/subject.h"
#include "experiment/words.h"

namespace sigwhy::experiment::variations {

static Plan plan(const Subject& subject) {
  const Finding* killed = finding_of(subject.before, Cause::out_of_memory_killed);
  if (!killed) return std::unexpected("it was not killed for memory");
  const auto limit = memory_limit(subject.before);
  if (!limit) return std::unexpected("no limit of a memory group is known");
  const auto more = *limit * 2;
  const auto machine = subject.before.snapshot.host.memory_bytes;
  if (machine && more > machine) return std::unexpected("the machine has not twice the limit");
  Planned planned{.words = "with " + size_text(more),
                  .as_it_was = "with " + size_text(*limit),
                  .cause = Cause::out_of_memory_killed,
                  .prediction = "with twice the memory it is not killed",
                  .rival = "a leak: it then only lives longer",
                  .fix = fmt::format("Raise the memory limit from {} to {}", size_text(*limit), size_text(more)),
                  .rank = 95,
                  .why = "it was killed at " + size_text(*limit),
                  .observes = [limit = *limit](const Trial& trial) { return trial.peak_bytes.value_or(0) > limit; }};
  planned.change.memory_bytes = more;
  return planned;
}

extern const Variation memory_up;
const Variation memory_up = {.title = "more memory", .plan = plan};

}  // namespace sigwhy::experiment::variations
