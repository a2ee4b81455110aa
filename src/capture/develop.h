// Develop: from raw material (a grabbed arena, a core, a live process) to a Snapshot. Runs in a process of its own
// that may die of what it reads; never fails as a whole, what could not be seen is a gap inside.
#pragma once
#include "capture/companion.h"
#include "evidence/snapshot.h"
#include "python/collector.h"
#include "target/target.h"

namespace sigwhy::capture {

Snapshot develop(const Target& target, python::ValuesPolicy values);

// The end as the supervisor saw it; the rest of the snapshot stays.
void set_end(Snapshot& snapshot, const EndMessage& end, const Target& target);

}  // namespace sigwhy::capture
