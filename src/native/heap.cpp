#include "native/heap.h"

#include <fmt/format.h>

#include "native/heap_tcache.h"
#include "native/heap_walk.h"
#include "native/reach.h"

namespace sigwhy::native {

namespace {

constexpr std::uint64_t page_bytes = 4096;
constexpr int most_mapped_blocks = 256;
constexpr std::size_t most_joined = 16;

HeapBlock as_block(const Chunk& chunk, BlockState state, std::string detail) {
  return {chunk.memory(), chunk.size - 8, state, std::move(detail)};
}

// The successor's header says whether this chunk is in use, but blocks cached for quick reuse still count as used.
HeapBlock judged(const Target& target, const Heap& heap, const FoundChunk& found) {
  const Chunk& chunk = found.chunk;
  if (found.is_top) return {chunk.memory(), chunk.size - 16, BlockState::top, "the unused rest at the end of the heap"};
  if (auto list = free_list_of(target, heap, chunk)) return as_block(chunk, BlockState::freed, std::move(*list));
  const auto next = chunk_at(*target.memory, chunk.next());
  if (!next) return as_block(chunk, BlockState::unknown, "the block behind it was not copied");
  if (!fits(heap, *next))
    return as_block(
        chunk, BlockState::corrupted,
        fmt::format("the size field of the block behind it holds {:#x}, which is no size", next->size_field));
  if (!next->before_in_use && next->size_before == chunk.size)
    return as_block(chunk, BlockState::freed, "the block behind it says that this one is free");
  if (!next->before_in_use) return as_block(chunk, BlockState::unknown, "its neighbours contradict each other");
  const bool cache_seen = chunk.size > most_tcache_chunk_bytes || marks_are_in_use(target);
  const bool fast_seen = chunk.size > most_fast_chunk_bytes || heap.state;
  if (cache_seen && fast_seen)
    return as_block(chunk, BlockState::in_use, "its neighbour says so, and no list of freed blocks has it");
  return as_block(chunk, BlockState::unknown, "in use, or freed and kept in a list that was not copied");
}

bool is_plain_memory(const Mapping& m) {
  return m.readable && m.writable && !m.shared && m.inode == 0 &&
         (m.path.empty() || m.path.starts_with("[anon: glibc: malloc"));
}

// A large block is a mapping of its own: { 0, size in whole pages, flag 2 }.
std::optional<Chunk> mapped_chunk(const Target& target, Address at, Address end) {
  const auto chunk = chunk_at(*target.memory, at);
  const bool is_one = chunk && chunk->mmapped && !chunk->before_in_use && !chunk->other_arena &&
                      chunk->size_before == 0 && chunk->size % page_bytes == 0 && chunk->size > 0 &&
                      chunk->size <= end.value - at.value;
  return is_one ? chunk : std::nullopt;
}

// Follows blocks that lie one behind another from `at` to the one around `a`.
std::optional<Chunk> mapped_chunk_around(const Target& target, Address at, Address end, Address a) {
  auto chunk = mapped_chunk(target, at, end);
  for (int steps = 0; chunk && a >= chunk->next() && steps < most_mapped_blocks; ++steps)
    chunk = chunk->next() < end ? mapped_chunk(target, chunk->next(), end) : std::nullopt;
  return chunk && a >= chunk->memory() && a < chunk->next() ? chunk : std::nullopt;
}

// The kernel joins neighbouring mappings into one line, and splits one where a part is advised to use huge pages (as
// NumPy does): blocks are looked for in all plain memory that hangs together around `a`.
std::optional<HeapBlock> mapped_block(const Target& target, std::size_t index, Address a) {
  const auto& all = target.mappings;
  auto last = index;
  while (last + 1 < all.size() && last < index + most_joined && is_plain_memory(all[last + 1]) &&
         all[last + 1].start == all[last].end)
    ++last;
  const Address end = all[last].end;
  auto chunk = mapped_chunk_around(target, {a.value & ~(page_bytes - 1)}, end, a);
  for (auto i = index; !chunk; --i) {
    chunk = mapped_chunk_around(target, all[i].start, end, a);
    const bool joined =
        i > 0 && index - i < most_joined && is_plain_memory(all[i - 1]) && all[i - 1].end == all[i].start;
    if (!joined) break;
  }
  if (!chunk) return std::nullopt;
  return HeapBlock{chunk->memory(), chunk->size - 16, BlockState::in_use, "large block, mapped on its own"};
}

}  // namespace

std::optional<HeapBlock> block_at(const Target& target, Address a) {
  const auto index = mapping_at(target.mappings, a);
  if (!index) return std::nullopt;
  if (const auto heap = heap_of(target, a)) {
    const auto found = chunk_around(target, *heap, a);
    return found ? std::optional(judged(target, *heap, *found)) : std::nullopt;
  }
  return is_plain_memory(target.mappings[*index]) ? mapped_block(target, *index, a) : std::nullopt;
}

}  // namespace sigwhy::native
