#include "python/census_room.h"

#include <algorithm>
#include <cstring>
#include <memory>

namespace sigwhy::python {

namespace {

constexpr std::size_t type_room = 1024, place_room = 512, name_room = 24u << 10;
constexpr std::size_t most_nodes = 8192, most_groups = 2048, most_blocks = 512;
constexpr std::size_t most_cache_bytes = 768u << 10;
constexpr std::size_t longest_probe = 64;
constexpr std::uint32_t nobody = 2;  // a slot that was taken once; prints are odd

std::uint64_t mixed(std::uint64_t value) {
  value *= 0x9e3779b97f4a7c15;
  return (value ^ value >> 29) * 0xbf58476d1ce4e5b9;
}

// By the upper half: the lower is the print.
std::size_t slot_of(std::uint64_t hash, std::size_t slots) { return (hash >> 32) * slots >> 32; }

}  // namespace

template <class T> std::span<T> CensusRoom::take(std::size_t count) {
  void* at = left_.data();
  std::size_t room = left_.size();
  if (!std::align(alignof(T), count * sizeof(T), at, room)) {
    fits_ = false;
    return {};
  }
  T* const first = static_cast<T*>(at);
  left_ = {static_cast<std::byte*>(at) + count * sizeof(T), room - count * sizeof(T)};
  std::uninitialized_fill_n(first, count, T{});
  return {first, count};
}

CensusRoom::CensusRoom(std::span<std::byte> scratch) : left_(scratch) {
  const std::size_t all = scratch.size();
  nodes_ = take<Node>(std::min(most_nodes, all / 8 / sizeof(Node)));
  types_ = take<TypeTotal>(type_room);
  places_ = take<RootPlace>(place_room);
  names_ = take<char>(name_room);
  groups_ = take<GroupCount>(std::min(most_groups, all / 32 / sizeof(GroupCount)));
  blocks_ = take<LargeBlock>(std::min(most_blocks, all / 64 / sizeof(LargeBlock)));
  cache_ = take<std::byte>(std::min(most_cache_bytes, all / 5));
  pending_ = take<Pending>(left_.size() / 5 / sizeof(Pending));
  seen_ = take<std::uint32_t>(left_.size() / sizeof(std::uint32_t) - 2);
}

bool CensusRoom::first_visit(std::uint64_t key) {
  const std::uint64_t hash = mixed(key);
  // Independent of the slot, and never 0: that is a free one.
  const auto print = static_cast<std::uint32_t>(hash) | 1;
  std::size_t slot = slot_of(hash, seen_.size());
  for (std::size_t tries = 0; tries < longest_probe; ++tries, slot = slot + 1 == seen_.size() ? 0 : slot + 1) {
    if (seen_[slot] == print) return false;
    if (seen_[slot]) continue;
    seen_[slot] = print;
    ++seen_count_;
    return true;
  }
  turned_away_ = true;
  return false;
}

void CensusRoom::forget(std::uint64_t key) {
  const std::uint64_t hash = mixed(key);
  const auto print = static_cast<std::uint32_t>(hash) | 1;
  std::size_t slot = slot_of(hash, seen_.size());
  for (std::size_t tries = 0; tries < longest_probe && seen_[slot]; ++tries, slot = slot + 1 == seen_.size() ? 0 : slot + 1)
    if (seen_[slot] == print) {
      seen_[slot] = nobody;
      return;
    }
}

bool CensusRoom::push(Pending pending) {
  if (pending_count_ == pending_.size()) return false;
  pending_[(first_pending_ + pending_count_++) % pending_.size()] = pending;
  return true;
}

std::optional<Pending> CensusRoom::pop() {
  if (pending_count_ == 0) return std::nullopt;
  const Pending next = pending_[first_pending_];
  first_pending_ = (first_pending_ + 1) % pending_.size();
  --pending_count_;
  return next;
}

NodeIndex CensusRoom::add_node(const Node& node) {
  if (node_count_ == nodes_.size()) return no_node;
  nodes_[node_count_] = node;
  return node_count_++;
}

std::string_view CensusRoom::name(std::uint64_t at) const {
  const auto rest = std::string_view(names_.data(), name_bytes_).substr(std::min<std::size_t>(at, name_bytes_));
  return rest.substr(0, rest.find('\0'));
}

std::optional<std::uint64_t> CensusRoom::add_name(std::string_view name) {
  if (names_.size() - name_bytes_ < name.size() + 1) return std::nullopt;
  const auto at = name_bytes_;
  std::memcpy(names_.data() + at, name.data(), name.size());
  names_[at + name.size()] = '\0';
  name_bytes_ += name.size() + 1;
  return at;
}

std::optional<std::uint16_t> CensusRoom::add_place(const RootPlace& place) {
  if (place_count_ == places_.size()) return std::nullopt;
  places_[place_count_] = place;
  return static_cast<std::uint16_t>(place_count_++);
}

void CensusRoom::rewind(const Mark& mark) {
  node_count_ = mark.nodes;
  name_bytes_ = mark.names;
  place_count_ = mark.places;
}

void CensusRoom::add_to_type(std::uint64_t type, std::uint64_t count, std::uint64_t bytes) {
  std::size_t slot = slot_of(mixed(type), types_.size());
  for (std::size_t tries = 0; tries < longest_probe; ++tries, slot = (slot + 1) % types_.size()) {
    TypeTotal& total = types_[slot];
    if (total.type && total.type != type) continue;
    total.type = type;
    total.count += count;
    total.bytes += bytes;
    return;
  }
}

void CensusRoom::add_to_group(NodeIndex node, std::uint32_t signature, std::uint64_t bytes, Address sample) {
  std::size_t slot = slot_of(mixed(std::uint64_t{signature} << 16 | node), groups_.size());
  for (std::size_t tries = 0; tries < longest_probe; ++tries, slot = (slot + 1) % groups_.size()) {
    GroupCount& group = groups_[slot];
    if (group.node != no_node && (group.node != node || group.signature != signature)) continue;
    if (group.node == no_node) group = {.signature = signature, .node = node, .sample = sample.value};
    ++group.count;
    group.bytes += bytes;
    return;
  }
}

// The largest are kept.
void CensusRoom::add_block(const LargeBlock& block) {
  if (block_count_ < blocks_.size()) {
    blocks_[block_count_++] = block;
  } else {
    if (blocks_.empty() || block.bytes <= blocks_[smallest_block_].bytes) return;
    blocks_[smallest_block_] = block;
  }
  if (block_count_ == blocks_.size())
    smallest_block_ = static_cast<std::size_t>(std::ranges::min_element(blocks_, {}, &LargeBlock::bytes) - blocks_.begin());
}

}  // namespace sigwhy::python
