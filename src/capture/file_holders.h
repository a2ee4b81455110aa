// Which other processes have a file open for writing, or hold a lock on it, as far as /proc shows it to us: every
// process to root, one's own to others.
#pragma once
#include <sys/types.h>

#include <chrono>
#include <span>
#include <string>

#include "evidence/input.h"

namespace sigwhy::capture {

// Fills in `holders`; looks no longer than `limit`, and says whether it saw all. `dead` and this process do not count.
// The files are found behind `prefix`.
bool add_holders(std::span<Input> inputs, const std::string& prefix, pid_t dead, std::chrono::milliseconds limit);

}  // namespace sigwhy::capture
