// What is really in memory, mapping by mapping, and what lies there: { header, rows }. Written during a grab, where
// nothing may be allocated, from /proc/PID/smaps and from what a census hears; read later by the developing process.
#pragma once
#include <cstdint>

namespace sigwhy::capture {

inline constexpr char residency_magic[8] = {'S', 'W', 'R', 'E', 'S', 'I', 'D', 'E'};
inline constexpr std::uint32_t residency_version = 1;

enum class RowKind : std::uint32_t { anonymous, heap, thread_heap, file, shared, stack, other };

struct ResidencyHeader {
  char magic[8];
  std::uint32_t version;
  std::uint32_t rows;
  std::uint32_t left_out;        // mappings for which there was no room ...
  std::uint32_t heap_cut_short;  // freed blocks were too many to be counted
  std::uint64_t left_out_kib;    // ... and what they hold
  std::uint64_t main_heap_free, thread_heaps_free;  // bytes that malloc keeps for later
};
static_assert(sizeof(ResidencyHeader) == 48);

struct ResidencyRow {
  std::uint64_t start, end;
  RowKind kind;
  std::uint32_t resident_kib, anonymous_kib, swap_kib;
  std::uint64_t array_bytes;      // of arrays that lie here, resident or not
  std::uint64_t object_bytes;     // of Python objects and their tables, those in pools left out
  std::uint64_t pool_bytes;       // Python's own pools of small objects
  std::uint64_t free_pool_bytes;  // of them empty
  std::uint64_t chunk_bytes;      // blocks that malloc got from the system one by one
};
static_assert(sizeof(ResidencyRow) == 72);

inline constexpr std::size_t most_residency_rows = 4096;

}  // namespace sigwhy::capture
