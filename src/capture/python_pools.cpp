#include "capture/python_pools.h"

#include <algorithm>
#include <array>

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
  constexpr std::size_t at_once = 64;
  Pools sum;
  std::array<Address, at_once> from;
  std::array<PoolHeader, at_once> headers;
  std::array<std::span<std::byte>, at_once> into;
  std::array<bool, at_once> whole;
  for (std::size_t i = 0; i < at_once; ++i) into[i] = std::as_writable_bytes(std::span(&headers[i], 1));
  Address at{(start.value + pool_step_bytes - 1) & ~(pool_step_bytes - 1)};
  while (at < end) {
    std::size_t count = 0;
    for (; count < at_once && at < end; at = at + step) from[count++] = at;
    memory.read_pieces(std::span(from).first(count), std::span(into).first(count), std::span(whole).first(count));
    for (std::size_t i = 0; i < count; ++i) {
      if (!whole[i] || !is_pool(headers[i])) continue;
      const auto bytes = std::min(step, end.value - from[i].value);
      sum.bytes += bytes;
      if (headers[i].used == 0) sum.free_bytes += bytes;
    }
  }
  return sum;
}

}  // namespace sigwhy::capture
