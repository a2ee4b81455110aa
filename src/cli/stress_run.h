// `sigwhy confirm --sizes ... --threads ... -- COMMAND`: an op's test over combinations, under the guarded heap.
#pragma once
#include "cli/command.h"

namespace sigwhy::cli {

// Whether that is what was asked for.
bool wants_stress(const Arguments& arguments);
Result<int> run_stress(const Arguments& arguments, Output& output);

}  // namespace sigwhy::cli
