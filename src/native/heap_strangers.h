// A pointer that was given to the free() of an allocator which did not make it. Two allocators in one process are no
// harm by themselves; a block of one in the hands of the other is: glibc finds no header in front of it, jemalloc and
// tcmalloc find no page of theirs around it. Which pointer it was is read off the registers and the stack of the frames
// below the call: nothing is said unless exactly one word there can be it.
#pragma once
#include <optional>
#include <vector>

#include "evidence/memory.h"
#include "evidence/thread.h"
#include "target/target.h"

namespace sigwhy::native {

// The frame of free() or realloc() in which the thread died, where nothing but its own file and the C library runs
// below it.
std::optional<std::size_t> freeing_frame(const std::vector<Frame>& frames, const std::vector<Module>& modules);

// Role "freed". Given to glibc: a pointer to writable memory that is no heap of glibc's. Given to another allocator:
// the start of a block that glibc's own headers show to be in use.
std::optional<Pointer> stranger_given_to_free(const Target& target, const std::vector<Frame>& frames,
                                              const std::vector<Module>& modules, const std::vector<Region>& regions);

}  // namespace sigwhy::native
