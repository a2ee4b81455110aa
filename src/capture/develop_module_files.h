// What lies on the disk where a failed import looked: a compiled module for another Python, or a file of the program's
// own that goes by the name of an installed module. Python's message names neither.
#pragma once
#include "evidence/snapshot.h"

namespace sigwhy::capture {

void add_module_files(Snapshot& snapshot);

}  // namespace sigwhy::capture
