// Runs that ended together with sigwhy. Whoever looks at the cases first turns their records into cases:
// the newest fifty, older ones are dropped. A run itself never looks at them.
#pragma once
#include "store/store.h"

namespace sigwhy::cli {

void adopt_lost_runs(const store::Store& store);

}  // namespace sigwhy::cli
