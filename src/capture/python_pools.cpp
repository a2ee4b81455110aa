#include "capture/python_pools.h"

namespace sigwhy::capture {

namespace {

struct PoolHeader {
  std::uint32_t used, unused;
  std::uint64_t free_block, next, previous;
  std::uint32_t arena, size_class, next_offset, last_offset;
};
static_assert(sizeof(PoolHeader) == 48);

// The last offset at which a block may begin is the pool's size less one block; blocks are multiples of 16 bytes,
// up to 3.6 of 8.
bool is_pool(const PoolHeader& h) {
  if (h.size_class >= 64 || h.next_offset < 48 || h.used > 2048) return false;
  for (const std::uint32_t pool : {4096u, 16384u})
    for (const std::uint32_t unit : {8u, 16u}) {
      const auto block = (h.size_class + 1) * unit;
      if (block <= 512 && h.last_offset == pool - block && h.next_offset <= pool) return true;
    }
  return false;
}

}  // namespace

Pools python_pools(const Memory& memory, Address start, Address end, std::uint64_t step) {
  Pools sum;
  const Address first{(start.value + pool_step_bytes - 1) & ~(pool_step_bytes - 1)};
  for (Address at = first; at < end; at = at + step) {
    const auto header = memory.read_value<PoolHeader>(at);
    if (!header || !is_pool(*header)) continue;
    const auto bytes = std::min(step, end.value - at.value);
    sum.bytes += bytes;
    if (header->used == 0) sum.free_bytes += bytes;
  }
  return sum;
}

}  // namespace sigwhy::capture
