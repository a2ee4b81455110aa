// malloc meets a broken header long after it was broken. Which one it met, its message says: the block it just took
// from the unsorted bin, or the unused rest at the end. That header must really be broken, else it was another heap's.
#include <array>

#include "native/heap.h"
#include "native/heap_walk.h"
#include "native/pointers_looks.h"
#include "native/reach.h"
#include "native/texts.h"

namespace sigwhy::native {

namespace {

// The chunk that the complaint is about, in the heap this state rules.
using Find = std::optional<Chunk> (*)(const Target&, const Heap&);

std::optional<Chunk> taken_from_unsorted(const Target& target, const Heap& heap) {
  const auto last = target.memory->read_value<std::uint64_t>(heap.state->bin(1) + 24);
  return last ? chunk_at(*target.memory, {*last}) : std::nullopt;
}

std::optional<Chunk> behind_unsorted(const Target& target, const Heap& heap) {
  const auto taken = taken_from_unsorted(target, heap);
  return taken && fits(heap, *taken) ? chunk_at(*target.memory, taken->next()) : std::nullopt;
}

std::optional<Chunk> top(const Target& target, const Heap& heap) { return chunk_at(*target.memory, heap.state->top); }

struct Complaint {
  std::string_view words;
  Find find;
};
constexpr Complaint complaints[] = {
    {"malloc(): invalid size (unsorted)", taken_from_unsorted},
    {"malloc(): memory corruption", taken_from_unsorted},
    {"malloc(): invalid next size (unsorted)", behind_unsorted},
    {"malloc(): corrupted top size", top},
};

Find complaint_of(const Target& target) {
  const auto message = abort_message(target);
  if (!message) return nullptr;
  for (const auto& complaint : complaints)
    if (message->text.starts_with(complaint.words)) return complaint.find;
  return nullptr;
}

HeapBlock with_bad_size(const Chunk& chunk) {
  return {chunk.memory(), 0, BlockState::corrupted, "its size field holds " + with_looks(chunk.size_field) + ", which is no size"};
}

std::vector<Heap> heaps_of(const Target& target) {
  std::vector<Heap> heaps;
  for (const auto& m : target.mappings)
    if (auto heap = heap_of(target, m.start); heap && heap->state) heaps.push_back(std::move(*heap));
  return heaps;
}

}  // namespace

std::optional<Pointer> damaged_block(const Target& target) {
  const Find find = complaint_of(target);
  if (!find) return std::nullopt;
  for (const auto& heap : heaps_of(target)) {
    const auto chunk = find(target, heap);
    if (!chunk || chunk->at < heap.start || chunk->at >= heap.end || fits(heap, *chunk)) continue;
    Pointer pointer{.role = "damaged", .value = chunk->memory()};
    if (const auto index = mapping_at(target.mappings, pointer.value)) pointer.region = *index;
    pointer.block = with_bad_size(*chunk);
    return pointer;
  }
  return std::nullopt;
}

std::optional<HeapBlock> overwritten_block(const Target& target, Address start) {
  const auto heap = heap_of(target, start);
  const auto chunk = heap ? chunk_at(*target.memory, start - chunk_header_bytes) : std::nullopt;
  if (!chunk || fits(*heap, *chunk) || !chain_ends_at(target, *heap, chunk->at)) return std::nullopt;
  return with_bad_size(*chunk);
}

}  // namespace sigwhy::native
