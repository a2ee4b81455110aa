// The runs of two arms, judged. Pure: the same runs give the same judgement.
#pragma once
#include <optional>
#include <vector>

#include "evidence/outcome.h"
#include "experiment/variation.h"

namespace sigwhy::experiment {

// Pairs are formed in the order of the runs. Nothing: not separated yet.
std::optional<Settled> judged(Effect effect, const std::vector<bool>& as_it_was, const std::vector<bool>& changed,
                              double needed);

// For Effect::caught: in how many of the runs that died or were caught it was caught.
std::optional<Settled> judged_catches(const std::vector<bool>& caught, double needed);

// How many of the session's comparisons it is.
std::size_t comparisons_of(Effect effect);

}  // namespace sigwhy::experiment
