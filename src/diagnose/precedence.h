// Two rules may speak about one fact; the one that says more stands for both. The table is data.
#pragma once
#include <vector>

#include "evidence/finding.h"

namespace sigwhy::diagnose {

// Drops what another finding says better, and a leak without the end that it explains. A finding never drops one that
// it explains: those are two levels.
void drop_superseded(std::vector<Finding>& findings);

// A call that crossed into another copy of a library is why the access or check below it failed.
void join_crossing_to_end(std::vector<Finding>& findings);

// The deepest finding that is at least strong, else the strongest on how it ended that is more than weak; the end
// of the list where there is none.
std::vector<Finding>::iterator verdict_of(std::vector<Finding>& findings);

// How many findings lie above this one on the way to how it ended: 0 for those that explain nothing.
int depth_of(const Finding& finding, const std::vector<Finding>& all);

}  // namespace sigwhy::diagnose
