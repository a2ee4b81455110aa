// What the Python names at the place stood for: arrays with type and shape, numbers with their value.
#pragma once
#include <vector>

#include "evidence/case.h"
#include "report/view.h"

namespace sigwhy::report {

// The few that matter: those the told findings rest on, then those that the Python line itself names.
std::vector<Row> value_rows(const Snapshot& snapshot, const std::vector<const Finding*>& told);

// Everything that was read: the values of the frames, and all arrays. Part of --full.
std::vector<Section> value_details(const Snapshot& snapshot);

}  // namespace sigwhy::report
