#include "native/heap_walk.h"

namespace sigwhy::native {

namespace {

constexpr int most_steps = 20'000;
constexpr std::uint64_t searched_back_bytes = 4096;
constexpr int least_chain = 4;
constexpr int most_chain = 64;

bool is_top(const Heap& heap, const Chunk& chunk) { return heap.state && heap.state->top == chunk.at; }

bool holds(const Chunk& chunk, Address a) { return chunk.memory() <= a && a < chunk.next() + 8; }

// Neighbours agree: a chunk that is free has its size repeated in front of the next one.
bool agrees(const Chunk& chunk, const Chunk& next) { return next.before_in_use || next.size_before == chunk.size; }

struct Walked {
  std::optional<FoundChunk> found;
  std::optional<Chunk> broken;
};

Walked walk(const Target& target, const Heap& heap, Address a) {
  Address at = heap.first_chunk;
  for (int step = 0; step < most_steps && at < heap.end; ++step) {
    const auto chunk = chunk_at(*target.memory, at);
    if (!chunk) return {};
    if (!fits(heap, *chunk)) return {{}, chunk};
    if (holds(*chunk, a) || is_top(heap, *chunk))
      return holds(*chunk, a) ? Walked{FoundChunk{*chunk, is_top(heap, *chunk), true}, {}} : Walked{};
    if (a < chunk->memory()) return {};
    at = chunk->next();
  }
  return {};
}

// Does a chain of fitting chunks start here, long and varied enough, or ending exactly at the top chunk?
bool starts_chain(const Target& target, const Heap& heap, const Chunk& first) {
  Chunk chunk = first;
  bool varied = false;
  for (int links = 0; links < most_chain; ++links) {
    if (is_top(heap, chunk)) return links > 0;
    const auto next = chunk_at(*target.memory, chunk.next());
    if (!next) return links >= least_chain && varied;
    if (!fits(heap, *next) || !agrees(chunk, *next)) return false;
    varied = varied || next->size != first.size;
    chunk = *next;
  }
  return varied;
}

}  // namespace

bool fits(const Heap& heap, const Chunk& chunk) {
  return chunk.has_sane_size() && !chunk.mmapped && !(heap.is_main && chunk.other_arena) &&
         chunk.size <= heap.end.value - chunk.at.value;
}

std::optional<FoundChunk> chunk_around(const Target& target, const Heap& heap, Address a) {
  const auto walked = walk(target, heap, a);
  if (walked.found) return walked.found;
  std::optional<FoundChunk> only;
  const Address low{a.value - std::min(a.value - heap.start.value, searched_back_bytes)};
  for (Address at{(a.value & ~std::uint64_t{15}) - chunk_header_bytes}; at >= low; at = at - 16) {
    const auto chunk = chunk_at(*target.memory, at);
    if (!chunk || !fits(heap, *chunk) || !holds(*chunk, a) || !starts_chain(target, heap, *chunk)) continue;
    if (only) return std::nullopt;
    only = FoundChunk{*chunk, is_top(heap, *chunk), false};
  }
  return only;
}

bool chain_ends_at(const Target& target, const Heap& heap, Address end) {
  const Address low{end.value - std::min(end.value - heap.start.value, searched_back_bytes)};
  for (Address first = end - 32; first >= low; first = first - 16) {
    auto chunk = chunk_at(*target.memory, first);
    int links = 0;
    while (chunk && chunk->at < end && fits(heap, *chunk)) {
      const auto next = chunk_at(*target.memory, chunk->next());
      if (next && next->at < end && !agrees(*chunk, *next)) break;
      ++links;
      chunk = next;
    }
    if (chunk && chunk->at == end && links >= least_chain) return true;
  }
  return false;
}

std::optional<Chunk> first_broken_chunk(const Target& target, const Heap& heap) {
  return walk(target, heap, heap.end).broken;
}

}  // namespace sigwhy::native
