// Is this death one that is public? A match needs three things that were seen: the package in a version that the table
// says is affected, the operation that ran, and an end that the bug's kind can have. It is said beside the verdict and
// never changes it: the table knows nothing of this process.
#pragma once
#include <vector>

#include "diagnose/facts.h"

namespace sigwhy::diagnose {

std::vector<KnownBug> known_bugs(const Facts& facts, Cause verdict);

}  // namespace sigwhy::diagnose
