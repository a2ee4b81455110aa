// What held the memory when the keeper last looked, from a record that was left behind. Nobody saw mapping by mapping
// what was resident then, only how much of it was anonymous, of files and shared; what Python names do not account for
// stays unknown.
#pragma once
#include <optional>

#include "capture/develop_record.h"
#include "evidence/memory_use.h"

namespace sigwhy::capture {

// Absent: nobody looked. `snapshot` has the timeline, and takes the gaps.
std::optional<MemoryUse> memory_use_of(const LeftRecord& left, Snapshot& snapshot);

}  // namespace sigwhy::capture
