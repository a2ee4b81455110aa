// Inverted supervision: the process that calls launch() will exec the program, so the caller's child *is* the
// program: its wait status, core file, job control and parent are native. The supervisor is a grandchild that has
// detached itself (own session), behind a keeper that stays when the supervisor is killed.
#pragma once
#include <span>

#include "base/owned_fd.h"
#include "capture/plan.h"

namespace sigwhy::capture {

struct Launch {
  bool supervised = false;
  // Write one byte here when the exec fails; a successful exec closes it.
  OwnedFd exec_failed;
};

// Returns in the process that is to exec the program. `argument_area` is where argv lies in memory: the
// supervisor writes its own name over its copy, so that `pkill -f train.py` does not match it.
Launch launch(const Plan& plan, std::span<char> argument_area);

}  // namespace sigwhy::capture
