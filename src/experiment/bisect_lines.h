// Which lines of a file kill the program: it is run with a file that holds a part of them.
#pragma once
#include "base/result.h"
#include "evidence/search.h"
#include "experiment/over.h"
#include "experiment/search_runs.h"

namespace sigwhy::experiment {

Result<Search> bisect_lines(const SearchWish& wish, const Over& over);

}  // namespace sigwhy::experiment
