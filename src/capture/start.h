// What the user started, as sigwhy was told: the command, the environment, the folder and the standard input. A process
// that is killed in its first moments, or that may not be traced, cannot be asked for them; a re-run needs them all
// the same.
#pragma once
#include "capture/plan.h"
#include "target/arena.h"

namespace sigwhy::capture {

void write_start(const Plan& plan, ArenaWriter& arena);

}  // namespace sigwhy::capture
