// Case with outcomes -> the diagnosis that follows. Pure, and from scratch each time: today's rules on the snapshot,
// what they say of the run that caught the mechanism, then what the counts strengthen or weaken. `rejudge` is this.
#pragma once
#include "evidence/case.h"

namespace sigwhy::experiment {

Case settle(Case c);

// The finding that rests on what the guarded heap caught in this run, where it caught something.
const Finding* caught_by_guard(const Diagnosis& diagnosis);

// How a bug that the guarded heap caught in a re-run is tied to the death of the case.
enum class Tie {
  same,     // the death itself, or damage of the kind that it died of
  likely,   // may be: the guard stops at the first bug, and the death may have another
  another,  // the death is proven to be something else
};
Tie tie_between(const Snapshot& before, const Diagnosis& of_before, const Snapshot& caught, const Finding& finding);

}  // namespace sigwhy::experiment
