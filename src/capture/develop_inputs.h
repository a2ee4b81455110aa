// The follow-up: files that the first facts point to are looked at before the snapshot freezes. Which they are, from the
// surest sign to the weakest: the exception names it, a function on the stack got its path, it is mapped, it was open
// for reading. Few files and little time; what did not fit is a gap with the command that looks at it.
#pragma once
#include "evidence/snapshot.h"
#include "target/target.h"

namespace sigwhy::capture {

void add_inputs(const Target& target, Snapshot& snapshot);

}  // namespace sigwhy::capture
