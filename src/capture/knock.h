// The asker's side of the door (door.h).
#pragma once
#include <sys/types.h>

#include "base/result.h"
#include "capture/living_arena.h"

namespace sigwhy::capture {

Result<LivingArena> ask_supervisor(pid_t supervisor, pid_t pid);

}  // namespace sigwhy::capture
