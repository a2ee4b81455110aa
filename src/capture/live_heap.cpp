#include "capture/live_heap.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

namespace sigwhy::capture {

namespace {

constexpr std::size_t bins = 127, bin_bytes = 16, least_empty_bins = 32, fast_bins = 10;
constexpr std::uint64_t to_user = 16, flags = 7, is_mapped = 2, page_bytes = 4096;
constexpr std::uint64_t thread_heap_bytes = 64u << 20;
constexpr std::uint32_t most_chunks = 60'000, most_arenas = 512, most_fast_chunks = 4096;
constexpr std::uint64_t largest_heap = std::uint64_t{1} << 46;

std::uint64_t word(std::span<const std::byte> bytes, std::size_t at) {
  std::uint64_t value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

// Bin 1 of the main state: the bins are the only thing in libc's data that points at itself so often.
std::optional<Address> main_bins(Address start, std::span<const std::byte> data) {
  const auto empty = [&](std::size_t at) {
    const std::uint64_t self = start.value + at - to_user;
    return word(data, at) == self && word(data, at + 8) == self;
  };
  if (data.size() < bins * bin_bytes) return std::nullopt;
  // The last bin is never used.
  for (std::size_t last = (data.size() - bin_bytes) / 8 * 8; last >= (bins - 1) * bin_bytes; last -= 8) {
    if (!empty(last)) continue;
    const auto first = last - (bins - 1) * bin_bytes;
    std::size_t count = 0;
    for (std::size_t i = 0; i < bins; ++i) count += empty(first + i * bin_bytes);
    if (count >= least_empty_bins) return start + first;
  }
  return std::nullopt;
}

class Arena {
 public:
  Arena(const Memory& memory, Address first_bin, std::uint32_t& chunks_left)
      : memory_(memory), bins_(first_bin), chunks_left_(chunks_left) {}

  std::uint64_t free_bytes() {
    std::uint64_t sum = top() + in_fast_bins();
    for (std::size_t i = 0; i < bins; ++i) sum += in_bin(bins_ + i * bin_bytes - to_user);
    return sum;
  }

  Address next() const { return value(bins_ + bins * bin_bytes + 16); }

 private:
  Address value(Address at) const { return {memory_.read_value<std::uint64_t>(at).value_or(0)}; }

  std::uint64_t size_of(Address chunk) const {
    const auto size = value(chunk + 8).value & ~flags;
    return size < largest_heap ? size : 0;
  }

  std::uint64_t top() const {
    const Address chunk = value(bins_ - 16);
    // Before the first allocation the top is the unsorted bin itself.
    return chunk.value && chunk != bins_ - to_user ? size_of(chunk) : 0;
  }

  std::uint64_t in_bin(Address bin) {
    std::uint64_t sum = 0;
    struct Chunk {
      std::uint64_t before, size, forward;
    };
    Address at = value(bin + to_user);
    while (at.value && at != bin && chunks_left_ > 0) {
      --chunks_left_;
      const auto chunk = memory_.read_value<Chunk>(at);
      const auto size = chunk ? chunk->size & ~flags : 0;
      if (size < 32 || size >= largest_heap || size % 16) return sum;
      sum += size;
      at = Address{chunk->forward};
    }
    return sum;
  }

  // Links are encoded with their own place since 2.32; a plain one leads to something of the right size, too.
  std::uint64_t in_fast_bins() {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < fast_bins; ++i) {
      Address at = value(bins_ - 96 + i * 8);
      const std::uint64_t size = (i + 2) * 16;
      for (std::uint32_t steps = 0; at.value && at.value % 16 == 0 && steps < most_fast_chunks; ++steps) {
        if (size_of(at) != size) break;
        sum += size;
        const auto link = value(at + to_user).value;
        const Address decoded{link ^ (at.value + to_user) >> 12};
        at = decoded.value && decoded.value % 16 == 0 && size_of(decoded) == size ? decoded : Address{link};
      }
    }
    return sum;
  }

  const Memory& memory_;
  Address bins_;
  std::uint32_t& chunks_left_;
};

// Of a state that lies in the first heap of its thread.
std::optional<Address> bins_of(const Memory& memory, Address state) {
  for (const std::uint64_t offset : {112u, 104u}) {
    const Address last = state + offset + (bins - 1) * bin_bytes;
    const auto words = memory.read_value<std::array<std::uint64_t, 2>>(last);
    const auto self = last.value - to_user;
    if (words && (*words)[0] == self && (*words)[1] == self) return state + offset;
  }
  return std::nullopt;
}

// The first block of the main heap is the main thread's cache: counts of cached blocks, by size. 64 of them, of one
// byte each up to 2.29, of two since.
std::uint64_t in_cache(const Memory& memory, Address heap) {
  constexpr std::size_t sizes = 64;
  const auto size = memory.read_value<std::uint64_t>(heap + 8).value_or(0) & ~flags;
  if (size != 0x290 && size != 0x250) return 0;
  std::uint64_t sum = 0;
  std::array<std::uint8_t, 2 * sizes> bytes{};
  if (memory.read(heap + to_user, std::as_writable_bytes(std::span(bytes))) != bytes.size()) return 0;
  for (std::size_t i = 0; i < sizes; ++i) {
    const unsigned count = size == 0x250 ? bytes[i] : bytes[2 * i] | bytes[2 * i + 1] << 8;
    sum += std::min(count, 1024u) * (i + 2) * 16;
  }
  return sum;
}

}  // namespace

HeapFree free_in_heaps(const Memory& memory, Address at, std::span<const std::byte> libc_data, Address main_heap) {
  HeapFree sum;
  const auto first = main_bins(at, libc_data);
  if (!first) return sum;
  std::uint32_t chunks_left = most_chunks;
  Arena main(memory, *first, chunks_left);
  sum.main = main.free_bytes() + (main_heap.value ? in_cache(memory, main_heap) : 0);
  Address state = main.next();
  for (std::uint32_t i = 0; i < most_arenas && state.value; ++i) {
    if (state.value <= first->value && first->value - state.value < 256) break;  // round again
    const auto thread_bins = bins_of(memory, state);
    if (!thread_bins) break;
    Arena arena(memory, *thread_bins, chunks_left);
    sum.threads += arena.free_bytes();
    state = arena.next();
  }
  sum.cut_short = chunks_left == 0;
  return sum;
}

bool begins_thread_heap(const Memory& memory, Address start) {
  if (start.value % thread_heap_bytes != 0) return false;
  const auto state = memory.read_value<std::uint64_t>(start).value_or(0);
  const auto offset = state % thread_heap_bytes;
  return state && state % 16 == 0 && offset >= 0x20 && offset <= 0x40 && bins_of(memory, Address{state});
}

// A block that had to be aligned begins behind some bytes that its header counts as "before".
std::uint64_t mapped_chunk_bytes(const Memory& memory, Address start, Address end, std::uint32_t& reads_left) {
  std::uint64_t sum = 0;
  const auto chunk_at = [&](Address at) -> std::uint64_t {
    const auto head = memory.read_value<std::array<std::uint64_t, 32>>(at);
    for (const std::uint64_t aligned : {0x0u, 0x30u, 0x10u, 0x70u, 0xf0u}) {
      if (!head || ((*head)[aligned / 8 + 1] & flags) != is_mapped || (*head)[aligned / 8] != aligned) continue;
      const auto size = ((*head)[aligned / 8 + 1] & ~flags) + aligned;
      if (size >= page_bytes && size % page_bytes == 0 && size <= end.value - at.value) return size;
    }
    return 0;
  };
  for (Address at = start; at < end && reads_left > 0; --reads_left) {
    const auto size = chunk_at(at);
    sum += size;
    at = at + std::max(size, page_bytes);
  }
  return sum;
}

}  // namespace sigwhy::capture
