// Python keeps small objects (up to 512 bytes) in pools of its own, pages of equal blocks inside larger mappings.
// Each pool begins with a header whose numbers have to fit each other, so that pools are told from other memory by
// looking at it, even where no name leads to their objects.
#pragma once
#include <cstdint>

#include "target/memory.h"

namespace sigwhy::capture {

struct Pools {
  std::uint64_t bytes = 0, free_bytes = 0;
};

// In [start, end), looked at every `step` bytes, which is a multiple of the 16 KiB of a pool since 3.10; older ones
// are smaller, and what is found in the first of them is taken to hold for all.
Pools python_pools(const Memory& memory, Address start, Address end, std::uint64_t step);

inline constexpr std::uint64_t pool_step_bytes = 16u << 10;

}  // namespace sigwhy::capture
