// The calls of one thread of a living process, innermost first, Python and native in the order in which they were
// made. What every thread has (the loader, the C library's waiting, the interpreter's own functions) is left out.
#pragma once
#include <string>
#include <vector>

#include "report/view.h"

namespace sigwhy::report {

struct StackRow {
  Row row;
  bool own = false;  // the user's code
};

std::vector<StackRow> merged_stack(const Snapshot& snapshot, const Thread& thread);

// At most about a dozen of them: both ends and the user's own; in between, how many are left out.
std::vector<Row> shortened(const std::vector<StackRow>& stack);

}  // namespace sigwhy::report
