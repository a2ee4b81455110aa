// Everything that was seen of one death. A value: made by capture, never changed afterwards, the only door
// between catching and thinking. Every field may be absent; what is absent for a reason has a Gap.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "evidence/gap.h"
#include "evidence/guarded_heap.h"
#include "evidence/input.h"
#include "evidence/inventory.h"
#include "evidence/memory.h"
#include "evidence/memory_bounds.h"
#include "evidence/memory_use.h"
#include "evidence/process.h"
#include "evidence/termination.h"
#include "evidence/text.h"
#include "evidence/thread.h"
#include "evidence/timeline.h"

namespace sigwhy {

struct Snapshot {
  Termination termination;
  Process process;
  std::optional<Root> root;
  Host host;
  std::optional<Fault> fault;
  std::vector<Thread> threads;
  std::vector<PyInterpreter> interpreters;
  std::vector<Array> arrays;
  std::vector<PyException> python_exceptions;
  std::vector<Module> modules;
  std::vector<Region> regions;
  std::vector<Pointer> pointers;
  std::vector<MemoryBlock> memory;
  std::vector<Text> texts;
  std::vector<CppException> exceptions;
  std::optional<MemoryBounds> memory_bounds;
  std::optional<Timeline> timeline;
  std::optional<MemoryUse> memory_use;
  std::optional<GuardedHeap> guarded_heap;
  std::optional<Inventory> inventory;
  std::vector<Input> inputs;  // files that the first facts point to, looked at after the death
  std::vector<Gap> gaps;
};

}  // namespace sigwhy
