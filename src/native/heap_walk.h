// From an address to the chunk around it. Chunks are chained by their sizes only, so there has to be a chunk that is
// known for certain to start from, or a chain long and varied enough that it cannot be data that looks like one.
#pragma once
#include <optional>

#include "native/heap_glibc.h"

namespace sigwhy::native {

struct FoundChunk {
  Chunk chunk;
  bool is_top = false;
  bool from_start = false;  // reached from the heap's first chunk: certain
};

std::optional<FoundChunk> chunk_around(const Target& target, const Heap& heap, Address a);

// Where a walk from the heap's first chunk meets a header that is none; absent where it meets none, or a hole first.
std::optional<Chunk> first_broken_chunk(const Target& target, const Heap& heap);

// Whether chunks that lie one behind another end exactly there: then a chunk begins there, whatever its own header says.
bool chain_ends_at(const Target& target, const Heap& heap, Address chunk);

// Can this be a chunk of that heap, by its own header?
bool fits(const Heap& heap, const Chunk& chunk);

}  // namespace sigwhy::native
