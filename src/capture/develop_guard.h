// The guard's records as evidence: contexts unwound and named, Python lines found, arrays tied to the blocks that their
// data lies in. Absent where the process had no guard.
#pragma once
#include <optional>

#include "evidence/snapshot.h"
#include "target/target.h"

namespace sigwhy::capture {

// Looks at the rest of the snapshot, which is complete but for this. What the guard could not do is added to its gaps.
std::optional<GuardedHeap> guarded_heap_of(const Target& target, Snapshot& snapshot);

}  // namespace sigwhy::capture
