// The installed Python packages that a death touches: those with a file on a stack, native or Python, and those that a
// line of the traceback imports. Their versions stand in the name of the metadata folder beside them,
// NAME-VERSION.dist-info.
#pragma once
#include "evidence/snapshot.h"
#include "target/target.h"

namespace sigwhy::capture {

void add_packages(const Target& target, Snapshot& snapshot);

}  // namespace sigwhy::capture
