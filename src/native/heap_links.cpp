#include "native/heap_links.h"

#include "native/heap.h"
#include "native/heap_glibc.h"
#include "native/reach.h"
#include "native/value_source.h"

namespace sigwhy::native {

namespace {

constexpr std::uint64_t block_alignment = 16;
constexpr std::uint64_t page_shift = 12;
constexpr std::uint64_t most_moved_bytes = 4096;  // from what was read to the member or function that is used

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

std::optional<Pointer> loaded_holder(const Target& target, const Frame& innermost, const std::string& name, std::uint64_t value) {
  const auto from = loaded_from(target, innermost, name);
  const auto word = from ? target.memory->read_value<std::uint64_t>(*from) : std::nullopt;
  if (!word || value - *word >= most_moved_bytes) return std::nullopt;
  auto block = block_at(target, *from);
  const bool told = block && (block->state == BlockState::freed || block->state == BlockState::in_use);
  if (!told) return std::nullopt;
  return Pointer{.role = "read from", .value = *from, .region = mapping_at(target.mappings, *from), .block = std::move(block)};
}

}  // namespace sigwhy::native
