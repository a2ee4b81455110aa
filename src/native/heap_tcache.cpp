#include "native/heap_tcache.h"

#include <algorithm>
#include <array>

#include "native/heap_glibc.h"
#include "native/reach.h"

namespace sigwhy::native {

namespace {

constexpr std::size_t size_classes = 64;
constexpr std::uint64_t new_structure_chunk_bytes = 0x290;  // 2.30 and later
constexpr std::uint64_t old_structure_chunk_bytes = 0x250;

// Is there a block of exactly this structure's size at `at`, filled as such a structure is?
bool is_structure(const Target& target, Address at) {
  const auto chunk = at.value % 16 == 0 ? chunk_at(*target.memory, at - chunk_header_bytes) : std::nullopt;
  if (!chunk || !chunk->has_sane_size()) return false;
  const bool is_new = chunk->size == new_structure_chunk_bytes;
  if (!is_new && chunk->size != old_structure_chunk_bytes) return false;
  const auto heads =
      target.memory->read_value<std::array<std::uint64_t, size_classes>>(at + (is_new ? 2 : 1) * size_classes);
  const auto is_head = [&](std::uint64_t head) { return head == 0 || (head % 16 == 0 && is_writable(target, {head})); };
  return heads && std::ranges::all_of(*heads, is_head);
}

bool is_in_libc_data(const Target& target, std::uint64_t word) {
  for (const auto& piece : libc_data(target))
    for (std::size_t at = 0; at + 8 <= piece.bytes.size(); at += 8)
      if (piece.word(at) == word) return true;
  return false;
}

}  // namespace

std::optional<Address> decoded_link(const Memory& memory, Address at, Address start, Address end) {
  const auto stored = memory.read_value<std::uint64_t>(at);
  if (!stored) return std::nullopt;
  for (const Address next : {Address{*stored}, Address{*stored ^ (at.value >> 12)}})
    if (next.value % 16 == 0 && start <= next && next < end) return next;
  return std::nullopt;
}

bool marks_cached_block(const Target& target, std::uint64_t second_word) {
  if (second_word >> 32 == 0 || second_word == ~std::uint64_t{0}) return false;
  if (mapping_of(target, {second_word})) return is_structure(target, {second_word});
  return is_in_libc_data(target, second_word);
}

bool marks_are_in_use(const Target& target) {
  for (const auto& m : target.mappings) {
    if (m.path != "[heap]") continue;
    const auto first = chunk_at(*target.memory, m.start);
    return first && first->size == new_structure_chunk_bytes && !libc_data(target).empty();
  }
  return false;
}

}  // namespace sigwhy::native
