// Where it died, in Python lines: the user's own first.
#pragma once
#include <vector>

#include "evidence/snapshot.h"
#include "report/view.h"

namespace sigwhy::report {

// File and line, function, the line itself.
Row python_row(const Snapshot& snapshot, const PythonFrame& frame);

std::vector<Row> python_places(const Snapshot& snapshot, const Thread& thread);

}  // namespace sigwhy::report
