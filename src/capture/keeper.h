// The keeper and the supervisor look after each other. If the supervisor is killed, the keeper clears the debug
// registers it had set (and goes on relaying for --tee); if the keeper is killed, nobody could do that, so the
// supervisor clears them itself. `sigwhy release` asks the supervisor by SIGUSR1 to clear them and leave.
#pragma once
#include <sys/types.h>

#include "base/owned_fd.h"
#include "capture/armed_threads.h"
#include "capture/sampling.h"
#include "capture/tee.h"

namespace sigwhy::capture {

// In the supervisor. `armed` lies in memory shared with the keeper.
void mind_keeper(pid_t keeper, ArmedThreads* armed);
bool keeper_is_gone();
// Could the keeper attach to this process once its tracer is dead? Yama allows only what the process itself has
// named, and only the root can be made to name the keeper.
bool keeper_may_attach(pid_t pid, pid_t root);

// In the supervisor, at the end of a run that was told: nothing of it stays on the disk but its case.
void end_run(RunTable& table, const Plan& plan);

// In the keeper, until everything is over. `end` becomes readable when the supervisor has ended.
[[noreturn]] void keep(pid_t supervisor, const OwnedFd& end, Tee& tee, ArmedThreads* armed, Sampling& sampling);

}  // namespace sigwhy::capture
