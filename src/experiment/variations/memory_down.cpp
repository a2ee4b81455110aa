// Half the memory. What climbs meets a limit half as high in about half the time; what asks for one large piece meets
// either limit at the same moment. So it tells a climb (a leak, or a buffer meant to grow) from a single demand.
#include <fmt/format.h>

#include "experiment/subject.h"
#include "experiment/words.h"

namespace sigwhy::experiment::variations {

static std::string died_sooner(const Trial& trial, double before_s) {
  const auto after_s = trial.result.snapshot.termination.after_seconds;
  const Finding* killed = finding_of(trial.result, Cause::out_of_memory_killed);
  if (!killed || after_s <= 0 || after_s > 0.75 * before_s) return {};
  return fmt::format("it was killed after {:.1f} s instead of {:.1f} s: its memory climbs", after_s, before_s);
}

static Plan plan(const Subject& subject) {
  if (!finding_of(subject.before, Cause::out_of_memory_killed)) return std::unexpected("it was not killed for memory");
  const auto limit = memory_limit(subject.before);
  if (!limit) return std::unexpected("no limit of a memory group is known");
  const double before_s = subject.before.snapshot.termination.after_seconds;
  if (before_s < 1) return std::unexpected("it did not live long enough to tell a climb from a jump");
  Planned planned{.words = "with " + size_text(*limit / 2),
                  .as_it_was = "with " + size_text(*limit),
                  .cause = Cause::memory_leak,
                  .prediction = "with half the memory it is killed in about half the time",
                  .effect = Effect::caught,
                  .claim = "its memory climbs all the time",
                  .rival = "a buffer that is meant to grow this large",
                  .rank = 70,
                  .why = "a climb meets half the limit in half the time",
                  .catches = [before_s](const Trial& trial) { return died_sooner(trial, before_s); }};
  planned.change.memory_bytes = *limit / 2;
  return planned;
}

extern const Variation memory_down;
const Variation memory_down = {.title = "less memory", .plan = plan};

}  // namespace sigwhy::experiment::variations
