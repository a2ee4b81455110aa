// What the memory was used for, from the records that a grab made: every resident byte gets one label, and the labels
// add up to what the process is judged by.
#pragma once
#include <optional>

#include "evidence/snapshot.h"
#include "target/target.h"

namespace sigwhy::capture {

// Nothing where the grab made no such records. `snapshot` gives the bounds, and takes the gaps.
std::optional<MemoryUse> memory_use_of(const Target& target, Snapshot& snapshot);

}  // namespace sigwhy::capture
