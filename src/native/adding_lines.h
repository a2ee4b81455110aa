// The source lines that add to what the large holders and containers hold, from the user's own files.
#pragma once
#include <vector>

#include "evidence/memory_use.h"
#include "evidence/thread.h"
#include "target/target.h"

namespace sigwhy::native {

void add_adding_lines(const Target& target, const std::vector<Thread>& threads, MemoryUse& use);

}  // namespace sigwhy::native
