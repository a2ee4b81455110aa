// Where it died, in Python lines: the user's own first.
#pragma once
#include <vector>

#include "evidence/snapshot.h"
#include "report/view.h"

namespace sigwhy::report {

std::vector<Row> python_places(const Snapshot& snapshot, const Thread& thread);

}  // namespace sigwhy::report
