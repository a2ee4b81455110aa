// A thread or a process could not be made. The kernel answers EAGAIN for every limit on them, and the C library for a
// stack that could not be mapped, so that the error does not tell which it was:
//   pids.max of a control group   counted for all processes in it; the group also counts whom it refused
//   vm.max_map_count, ulimit -v   no mapping, no address space for the stack
//   ulimit -u                     counted for all processes of the user, and shown to nobody
#pragma once
#include <optional>

#include "diagnose/facts.h"

namespace sigwhy::diagnose {

std::optional<Finding> refused_thread(const Facts& facts);

}  // namespace sigwhy::diagnose
