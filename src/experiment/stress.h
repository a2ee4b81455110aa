// `sigwhy confirm --sizes 1,7,64 --threads 1,2,8 -- COMMAND`: an op's test over all combinations under the guarded
// heap. {size} and {threads} stand in the command; the number of threads is also given to the libraries by their own
// variables.
#pragma once
#include <string>
#include <vector>

#include "base/result.h"
#include "evidence/search.h"
#include "experiment/search_runs.h"

namespace sigwhy::experiment {

struct Combinations {
  std::vector<std::string> sizes;    // empty: not varied
  std::vector<std::string> threads;  // empty: not varied
};

// Every combination `wish.votes` times, each that dies with its verdict.
Result<Search> stress(const SearchWish& wish, const Combinations& combinations);

}  // namespace sigwhy::experiment
