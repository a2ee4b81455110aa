// The source lines that add to what the large holders and containers hold, from the user's own files.
#pragma once
#include <vector>

#include "evidence/guarded_heap.h"
#include "evidence/memory_use.h"
#include "evidence/thread.h"
#include "evidence/timeline.h"
#include "target/target.h"

namespace sigwhy::native {

// The timeline knows files too, where no thread's stack could be read.
void add_adding_lines(const Target& target, const std::vector<Thread>& threads, const std::optional<Timeline>& timeline,
                      MemoryUse& use);

// The same for the calls whose blocks were never freed: their lines.
void add_site_lines(const Target& target, GuardedHeap& heap);

}  // namespace sigwhy::native
