// What a pointer that matters points to, how far it is from what exists, and, where it cannot be a pointer at all,
// what its bytes look like: a value such as 0xbfc00000bfc00000 is two floats that somebody wrote over a pointer.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "evidence/memory.h"
#include "evidence/thread.h"
#include "target/target.h"

namespace sigwhy::native {

Pointer describe_pointer(std::string role, Address value, const Target& target, const std::vector<Region>& regions);

// The fault address, the registers it was made of, a pc where no code is, registers that cannot be addresses, the
// block given to free (role "freed") or found with a broken header ("damaged") where glibc stopped the program for it;
// the pointer that an allocator was given and did not make (heap_strangers.h).
// `dying`: the frames of the thread that died.
std::vector<Pointer> pointers_that_matter(const Target& target, const std::optional<Fault>& fault,
                                          const std::vector<Region>& regions, const std::vector<Frame>& dying = {},
                                          const std::vector<Module>& modules = {});

}  // namespace sigwhy::native
