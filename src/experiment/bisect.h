// `sigwhy bisect`: where along a range, a list or the lines of a file a program begins to die.
#pragma once
#include "base/result.h"
#include "evidence/search.h"
#include "experiment/over.h"
#include "experiment/search_runs.h"

namespace sigwhy::experiment {

// `smallest`: large values survive and small ones die; else the other way round.
Result<Search> bisect(const SearchWish& wish, const Over& over, bool smallest);

}  // namespace sigwhy::experiment
