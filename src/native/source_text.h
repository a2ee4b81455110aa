// The source line itself, for the frames a reader looks at first. Only where the file is not younger than the
// program or library that was built from it: an edited file would show the wrong line.
#pragma once
#include <vector>

#include "evidence/memory.h"
#include "evidence/thread.h"
#include "target/target.h"

namespace sigwhy::native {

void add_source_text(const Target& target, const std::vector<Module>& modules, std::vector<Thread>& threads);

}  // namespace sigwhy::native
