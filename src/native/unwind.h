// From raw registers and memory to stacks: every thread, every frame with how it was found. Frames have a module
// here and no names yet; naming is a pass of its own over all of them.
#pragma once
#include <functional>
#include <vector>

#include "evidence/gap.h"
#include "evidence/memory.h"
#include "evidence/thread.h"
#include "native/unwind_registers.h"
#include "target/target.h"

namespace sigwhy::native {

// `before` is called with each thread's index before it is walked: where stacks of different times lie at the same
// addresses, the target's memory can be turned to the one that is meant.
std::vector<Thread> unwind(const Target& target, const std::vector<Module>& modules, std::vector<Gap>& gaps,
                           const std::function<void(std::size_t)>& before = {});

// The registers of one of the dying thread's frames, where the tables lead to it. Those that a call may change are not
// to be relied on.
std::optional<UnwindRegisters> registers_of(const Target& target, const std::vector<Module>& modules, const Frame& frame);

// The mapping a stack pointer lies in; for a pointer that ran off its stack, the mapping right above it.
std::optional<StackBounds> stack_of(const Target& target, Address stack_pointer);

}  // namespace sigwhy::native
