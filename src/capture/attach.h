// A look at a living process that nobody traces: its threads are stopped for a few milliseconds, copied into an
// arena and let go. A child does it, so that whatever happens to us the kernel lets the process go with the child.
#pragma once
#include <sys/types.h>

#include "base/result.h"
#include "capture/living_arena.h"

namespace sigwhy::capture {

Result<LivingArena> look_into(pid_t pid);

// What /proc says of a process before one lays hands on it.
struct Suspect {
  pid_t pid = 0;     // of the process, where the number was a thread's
  pid_t tracer = 0;  // 0: nobody
  char state = '?';  // Z: ended already
  bool of_kernel = false;
};
Result<Suspect> suspect(pid_t pid);

}  // namespace sigwhy::capture
