#include "native/heap_glibc.h"

#include <algorithm>

#include "native/heap_tcache.h"
#include "native/reach.h"

namespace sigwhy::native {

namespace {

constexpr std::size_t bin_count = 127;
constexpr std::size_t bin_bytes = 16;
constexpr std::size_t least_empty_bins = 32;
constexpr std::uint64_t thread_heap_bytes = 64u << 20;
constexpr int most_fast_links = 256;

// An empty bin holds, twice, the address 16 below itself.
bool is_empty_bin(const Piece& piece, std::size_t at) {
  const std::uint64_t self = piece.start.value + at - chunk_header_bytes;
  return piece.word(at) == self && piece.word(at + 8) == self;
}

std::optional<MallocState> state_with_bins(const Memory& memory, Address bins) {
  // { fast bins [10], top, last remainder, bins ... }
  const auto words = memory.read_value<std::array<std::uint64_t, 12>>(bins - 96);
  if (!words) return std::nullopt;
  MallocState state{.bins = bins, .top = {(*words)[10]}, .fast_bins = {}};
  for (std::size_t i = 0; i < state.fast_bins.size(); ++i) state.fast_bins[i] = {(*words)[i]};
  return state;
}

// The last bin is never used, so the last pair that points at itself ends the array.
std::optional<MallocState> state_in(const Memory& memory, const Piece& piece) {
  if (piece.start.value % 8 != 0 || piece.bytes.size() < bin_count * bin_bytes) return std::nullopt;
  for (std::size_t last = (piece.bytes.size() - bin_bytes) / 8 * 8; last >= (bin_count - 1) * bin_bytes; last -= 8) {
    if (!is_empty_bin(piece, last)) continue;
    const std::size_t first = last - (bin_count - 1) * bin_bytes;
    std::size_t empty = 0;
    for (std::size_t i = 0; i < bin_count; ++i) empty += is_empty_bin(piece, first + i * bin_bytes);
    if (empty >= least_empty_bins) return state_with_bins(memory, piece.start + first);
  }
  return std::nullopt;
}

// heap_info { malloc_state*, ... } opens each thread heap; the state itself lies in the first of them.
std::optional<MallocState> thread_state(const Memory& memory, Address state) {
  for (const std::uint64_t offset : {112u, 104u}) {
    const Address last = state + offset + (bin_count - 1) * bin_bytes;
    const auto words = memory.read_value<std::array<std::uint64_t, 2>>(last);
    const std::uint64_t self = last.value - chunk_header_bytes;
    if (words && (*words)[0] == self && (*words)[1] == self) return state_with_bins(memory, state + offset);
  }
  return std::nullopt;
}

std::optional<Heap> thread_heap(const Target& target, Address a) {
  const Address start{a.value & ~(thread_heap_bytes - 1)};
  const Mapping* m = mapping_of(target, start);
  const auto state_at = target.memory->read_value<std::uint64_t>(start);
  if (!m || !m->writable || m->inode != 0 || m->start != start || a >= m->end || !state_at) return std::nullopt;
  const Address home{*state_at & ~(thread_heap_bytes - 1)};
  const std::uint64_t offset = *state_at - home.value;
  if (*state_at % 16 != 0 || offset < 0x20 || offset > 0x40) return std::nullopt;
  Heap heap{.start = start, .end = m->end, .state = thread_state(*target.memory, {*state_at})};
  if (home != start) heap.first_chunk = start + offset;  // a further heap of an arena holds heap_info only
  else if (heap.state) heap.first_chunk = {(heap.state->end().value + 15) & ~std::uint64_t{15}};
  else return std::nullopt;
  return heap;
}

// Links are encoded from glibc 2.32 on; a chain is walked in whichever of the two ways leads on inside the heap.
bool is_in_fast_bin(const Target& target, const MallocState& state, const Heap& heap, const Chunk& chunk) {
  const std::uint64_t index = chunk.size / 16 - 2;
  if (index >= state.fast_bins.size()) return false;
  Address at = state.fast_bins[index];
  for (int steps = 0; steps < most_fast_links && heap.start <= at && at < heap.end; ++steps) {
    if (at == chunk.at) return true;
    const auto next = decoded_link(*target.memory, at + chunk_header_bytes, heap.start, heap.end);
    if (!next) return false;
    at = *next;
  }
  return false;
}

std::optional<std::string> bin_of(const Target& target, const std::optional<MallocState>& state, const Chunk& chunk) {
  const auto links = target.memory->read_value<std::array<std::uint64_t, 2>>(chunk.memory());
  if (!links) return std::nullopt;
  const auto back = target.memory->read_value<std::uint64_t>(Address{(*links)[0]} + 24);
  const auto forward = target.memory->read_value<std::uint64_t>(Address{(*links)[1]} + 16);
  const bool one_agrees = back == chunk.at.value || forward == chunk.at.value;
  const bool one_differs = (back && *back != chunk.at.value) || (forward && *forward != chunk.at.value);
  if (!one_agrees || one_differs) return std::nullopt;
  const bool unsorted = state && ((*links)[0] == state->bin(1).value || (*links)[1] == state->bin(1).value);
  return unsorted ? "linked in the unsorted bin of freed blocks" : "linked in a bin of freed blocks";
}

}  // namespace

std::optional<Chunk> chunk_at(const Memory& memory, Address at) {
  const auto words = memory.read_value<std::array<std::uint64_t, 2>>(at);
  if (!words || at.value % 16 != 0) return std::nullopt;
  const auto field = (*words)[1];
  return Chunk{.at = at,
               .size_before = (*words)[0],
               .size = field & ~std::uint64_t{7},
               .size_field = field,
               .before_in_use = (field & 1) != 0,
               .mmapped = (field & 2) != 0,
               .other_arena = (field & 4) != 0};
}

std::optional<MallocState> main_state(const Target& target) {
  for (const auto& piece : libc_data(target))
    if (auto state = state_in(*target.memory, piece)) return state;
  return std::nullopt;
}

std::optional<Heap> heap_of(const Target& target, Address a) {
  const Mapping* m = mapping_of(target, a);
  if (!m || !m->writable || m->shared) return std::nullopt;
  if (m->path == "[heap]")
    return Heap{
        .start = m->start, .end = m->end, .first_chunk = m->start, .is_main = true, .state = main_state(target)};
  return thread_heap(target, a);
}

std::optional<std::string> free_list_of(const Target& target, const Heap& heap, const Chunk& chunk) {
  if (chunk.size <= most_tcache_chunk_bytes) {
    const auto second = target.memory->read_value<std::uint64_t>(chunk.memory() + 8);
    if (second && marks_cached_block(target, *second)) return "linked in a thread's cache of freed blocks (tcache)";
  }
  if (chunk.size <= most_fast_chunk_bytes && heap.state && is_in_fast_bin(target, *heap.state, heap, chunk))
    return "linked in a fast bin of freed blocks";
  return bin_of(target, heap.state, chunk);
}

}  // namespace sigwhy::native
