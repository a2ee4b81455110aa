#include "native/heap_links.h"

#include "native/heap.h"
#include "native/heap_glibc.h"
#include "native/reach.h"

namespace sigwhy::native {

namespace {

constexpr std::uint64_t block_alignment = 16;
constexpr std::uint64_t page_shift = 12;

bool is_link(std::uint64_t value, Address at, const Heap& heap) {
  const Address next{value ^ (at.value >> page_shift)};
  return next.value == 0 || (next.value % block_alignment == 0 && heap.start <= next && next < heap.end);
}

bool tells(const HeapBlock& block, Address at) {
  return block.start == at && (block.state == BlockState::freed || block.state == BlockState::in_use);
}

}  // namespace

std::optional<Pointer> link_holder(const Target& target, std::uint64_t value) {
  std::optional<Pointer> holder;
  for (const auto& piece : within_reach(target)) {
    const auto heap = heap_of(target, piece.start);
    if (!heap) continue;
    const auto skew = (block_alignment - piece.start.value % block_alignment) % block_alignment;
    for (std::size_t offset = skew; offset + 8 <= piece.bytes.size(); offset += block_alignment) {
      const Address at = piece.start + offset;
      if (piece.word(offset) != value || !is_link(value, at, *heap)) continue;
      auto block = block_at(target, at);
      if (!block || !tells(*block, at)) continue;
      if (holder && holder->block->state != block->state) return std::nullopt;
      if (!holder) holder = Pointer{.role = "read from", .value = at, .block = std::move(block)};
    }
  }
  if (holder) holder->region = mapping_at(target.mappings, holder->value);
  return holder;
}

std::optional<Pointer> mark_holder(const Target& target, std::uint64_t value) {
  for (const auto& [name, word] : general_registers(target)) {
    const Address at{word};
    if (word % block_alignment != 0 || target.memory->read_value<std::uint64_t>(at + 8) != value) continue;
    auto block = block_at(target, at);
    if (!block || block->start != at || block->state != BlockState::freed) continue;
    return Pointer{.role = "read from", .value = at, .region = mapping_at(target.mappings, at), .block = std::move(block)};
  }
  return std::nullopt;
}

}  // namespace sigwhy::native
