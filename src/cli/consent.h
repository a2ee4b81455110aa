// Where no throw-away layer can be had, a re-run changes files for good: the user is told why and what would run,
// and decides. Without a terminal only --yes does.
#pragma once
#include <string>
#include <vector>

#include "base/result.h"
#include "experiment/trial.h"

namespace sigwhy::cli {

// Says where layers go, and sets `without_layer` where the user agreed to that.
Result<void> agree_on_layer(experiment::Bounds& bounds, bool yes, const std::vector<std::string>& command);

}  // namespace sigwhy::cli
