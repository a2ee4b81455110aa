// What the memory of a living process is used for, because somebody asked: it is read while it runs on, so that what
// changes meanwhile may be counted wrong or not at all.
#pragma once
#include <sys/types.h>

#include "capture/living_arena.h"

namespace sigwhy::capture {

// Adds to what a look at the process has brought home.
void add_memory(pid_t pid, const LivingArena& looked);

}  // namespace sigwhy::capture
