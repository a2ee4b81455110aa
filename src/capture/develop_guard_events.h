// Where a call of the allocator came from: the registers and the piece of stack that the guard kept are unwound as if
// they were a thread's, by the tables of the dead process. The stack itself has been used for other things since.
#pragma once
#include <map>
#include <span>
#include <vector>

#include "evidence/guarded_heap.h"
#include "evidence/memory.h"
#include "guard/wire.h"
#include "target/target.h"

namespace sigwhy::capture {

struct Origins {
  std::vector<Frame> frames;
  std::vector<PythonFrame> python;
};

// By Context::id. A stack ends where it comes to code that was unloaded later: of that frame its address is all that is
// known, whatever lies there now.
std::map<std::uint64_t, Origins> origins_of(const Target& target, std::vector<Module>& modules,
                                            std::span<const guard::Context> contexts,
                                            std::span<const guard::Unloaded> unloaded);

}  // namespace sigwhy::capture
