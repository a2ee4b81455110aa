// Where an exception rose, in the user's own lines, each with the arrays that the findings speak of.
#pragma once
#include <vector>

#include "evidence/case.h"
#include "report/view.h"

namespace sigwhy::report {

// Empty where no exception ended the program.
std::vector<Row> exception_places(const Snapshot& snapshot, const std::vector<const Finding*>& told);

// "train.py:12 KeyError": the user's innermost line and the exception's kind. Empty where no exception ended it.
std::string exception_place(const Snapshot& snapshot);

}  // namespace sigwhy::report
