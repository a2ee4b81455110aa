#include "native/heap.h"

#include <fmt/format.h>

#include "native/heap_tcache.h"
#include "native/heap_walk.h"
#include "native/reach.h"

namespace sigwhy::native {

namespace {

constexpr std::uint64_t page_bytes = 4096;
constexpr int most_mapped_blocks = 256;

HeapBlock as_block(const Chunk& chunk, BlockState state, std::string detail) {
  return {chunk.memory(), chunk.size - 8, state, std::move(detail)};
}

// The successor's header says whether this chunk is in use, but blocks cached for quick reuse still count as used.
HeapBlock judged(const Target& target, const Heap& heap, const FoundChunk& found) {
  const Chunk& chunk = found.chunk;
  if (found.is_top)
    return {chunk.memory(), chunk.size - 16, BlockState::top, "the unused rest at the end of the heap"};
  if (auto list = free_list_of(target, heap, chunk)) return as_block(chunk, BlockState::freed, std::move(*list));
  const auto next = chunk_at(*target.memory, chunk.next());
  if (!next) return as_block(chunk, BlockState::unknown, "the block behind it was not copied");
  if (!fits(heap, *next))
    return as_block(chunk, BlockState::corrupted,
                    fmt::format("the size field of the block behind it holds {:#x}, which is no size",
                                next->size_field));
  if (!next->before_in_use && next->size_before == chunk.size)
    return as_block(chunk, BlockState::freed, "the block behind it says that this one is free");
  if (!next->before_in_use) return as_block(chunk, BlockState::unknown, "its neighbours contradict each other");
  const bool cache_seen = chunk.size > most_tcache_chunk_bytes || marks_are_in_use(target);
  const bool fast_seen = chunk.size > most_fast_chunk_bytes || heap.state;
  if (cache_seen && fast_seen)
    return as_block(chunk, BlockState::in_use, "its neighbour says so, and no list of freed blocks has it");
  return as_block(chunk, BlockState::unknown, "in use, or freed and kept in a list that was not copied");
}

// A large block is a mapping of its own: { 0, size in whole pages, flag 2 }. Neighbouring mappings are shown as one.
std::optional<HeapBlock> mapped_block(const Target& target, const Mapping& m, Address a) {
  const auto block_if = [&](Address at) -> std::optional<Chunk> {
    const auto chunk = chunk_at(*target.memory, at);
    const bool is_one = chunk && chunk->mmapped && !chunk->before_in_use && !chunk->other_arena &&
                        chunk->size_before == 0 && chunk->size % page_bytes == 0 && chunk->size > 0 &&
                        chunk->size <= m.end.value - at.value;
    return is_one ? chunk : std::nullopt;
  };
  auto chunk = block_if(m.start);
  for (int steps = 0; chunk && a >= chunk->next() && steps < most_mapped_blocks; ++steps)
    chunk = chunk->next() < m.end ? block_if(chunk->next()) : std::nullopt;
  if (!chunk) chunk = block_if({a.value & ~(page_bytes - 1)});
  if (!chunk || a < chunk->memory() || a >= chunk->next()) return std::nullopt;
  return HeapBlock{chunk->memory(), chunk->size - 16, BlockState::in_use, "large block, mapped on its own"};
}

}  // namespace

std::optional<HeapBlock> block_at(const Target& target, Address a) {
  const Mapping* m = mapping_of(target, a);
  if (!m || !m->writable || m->shared || m->inode != 0) return std::nullopt;
  if (const auto heap = heap_of(target, a)) {
    const auto found = chunk_around(target, *heap, a);
    return found ? std::optional(judged(target, *heap, *found)) : std::nullopt;
  }
  const bool may_be_block = m->path.empty() || m->path.starts_with("[anon: glibc: malloc");
  return may_be_block ? mapped_block(target, *m, a) : std::nullopt;
}

}  // namespace sigwhy::native
