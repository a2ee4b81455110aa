// What re-runs showed. `sigwhy confirm` runs the program again as it was and with one thing changed, until the two
// arms are told apart; each such comparison is an Outcome. Only a variation that observes the mechanism (the guarded
// heap caught the access; the limit that was hit was raised) can prove; counting deaths reaches strong.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "evidence/finding.h"

namespace sigwhy {

enum class Settled { confirmed, refuted, inconclusive };

// One way of running it.
struct Arm {
  std::uint64_t runs = 0;
  std::uint64_t died = 0;        // in the way of the case that is being settled
  std::uint64_t otherwise = 0;   // failed in another way: neither died nor survived
};

struct Outcome {
  std::string variation;  // the file that made it: "single_thread"
  std::string change;     // as a reader says it: "with 1 thread"
  Cause cause = Cause::unknown;  // of the finding that it was about
  std::string prediction;        // what was to happen if the finding is right
  Settled settled = Settled::inconclusive;
  bool observed = false;  // the mechanism itself was seen, not only fewer deaths
  Arm as_it_was;
  Arm changed;
  std::string said;  // one sentence: "with 2 threads 9 of 10 died, with 1 thread 0 of 10"
  std::string claim;  // of the finding that follows if it is confirmed and no rule said so before; empty: none does
  std::string rival;  // what else the change moves: the reason why counting deaths proves nothing
  std::optional<std::string> why_not;  // inconclusive: what stood in the way
};

// A fix that was applied in the throw-away layer.
struct FixTest {
  std::string fix;  // as the finding words it, or the switch that was set
  Arm before;
  Arm after;
};

}  // namespace sigwhy
