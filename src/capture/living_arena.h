// What a look at a living process brings home.
#pragma once
#include "base/owned_fd.h"

namespace sigwhy::capture {

struct LivingArena {
  OwnedFd arena;
  double stopped_ms = 0;  // how long its threads stood still
};

}  // namespace sigwhy::capture
