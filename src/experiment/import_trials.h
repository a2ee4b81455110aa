// Imports tried out, each alone and then all together in the script's order, in the throw-away layer. Where all survive
// alone and not together, the search is for the smallest stretch that still breaks: the first import that a failing row
// cannot do without at its end, then the last one that it cannot do without at its start; mostly a pair.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "evidence/concern.h"
#include "experiment/trial.h"

namespace sigwhy::experiment {

struct TriedImport {
  std::string module;
  bool may_fail = false;  // the script is ready for an ImportError
};

// One run that imports these in this order.
using ImportRun = std::function<Result<Trial>(const std::vector<std::string>& modules)>;

// `check` of the concerns is "import".
Result<std::vector<Concern>> try_imports(const std::vector<TriedImport>& imports, const ImportRun& run);

// The Python code of such a run; `folder` stands in front of the path, as the script's does.
std::string import_code(const std::vector<std::string>& modules, const std::string& folder);

}  // namespace sigwhy::experiment
