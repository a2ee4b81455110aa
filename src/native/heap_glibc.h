// glibc's malloc (ptmalloc, 2.26 to 2.41) as its bytes describe it. A chunk is { size of the chunk before, own size
// and three flags, memory ... }; malloc returns the chunk's address plus 16. The state of the main heap is a
// static structure without a name: it is found in libc's data by its bins, each of which points at itself while it
// is empty. Layouts are recognised, never assumed from a version.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "target/target.h"

namespace sigwhy::native {

inline constexpr std::uint64_t chunk_header_bytes = 16;
inline constexpr std::uint64_t least_chunk_bytes = 32;
inline constexpr std::uint64_t most_tcache_chunk_bytes = 0x410;
inline constexpr std::uint64_t most_fast_chunk_bytes = 0xb0;

struct Chunk {
  Address at;
  std::uint64_t size_before = 0;  // only meaningful where before_in_use is not set
  std::uint64_t size = 0;         // without the flags
  std::uint64_t size_field = 0;   // with them
  bool before_in_use = false;
  bool mmapped = false;
  bool other_arena = false;

  Address memory() const { return at + chunk_header_bytes; }
  Address next() const { return at + size; }
  bool has_sane_size() const { return size >= least_chunk_bytes && size_field % 16 < 8; }
};

std::optional<Chunk> chunk_at(const Memory& memory, Address at);

// One malloc_state: the main one or that of a thread's heap.
struct MallocState {
  Address bins;  // of bin 1, the unsorted bin; the bins are 16 bytes apart, 127 of them
  Address top;
  std::array<Address, 10> fast_bins;

  Address bin(std::uint64_t index) const { return bins + (index - 1) * 16 - chunk_header_bytes; }
  Address end() const { return bins + 127 * 16 + 16 + 5 * 8; }
};

std::optional<MallocState> main_state(const Target& target);

// A heap that chunks lie in: [heap], or a thread's, which begins at a multiple of 64 MiB.
struct Heap {
  Address start;  // of the mapping
  Address end;
  Address first_chunk;
  bool is_main = false;
  std::optional<MallocState> state;
};

std::optional<Heap> heap_of(const Target& target, Address a);

// Which list of freed blocks the chunk is linked in, in words; absent where none could be shown.
std::optional<std::string> free_list_of(const Target& target, const Heap& heap, const Chunk& chunk);

}  // namespace sigwhy::native
