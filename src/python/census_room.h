// What a census remembers, in room that was lent: what it has seen, what it still has to enter, and the tree of names
// that memory is added up in. All of fixed size; what is full turns new things away, and the census goes on with
// less. One node of the tree is one name ("history", then ".weights", then "[3]"); things that are reached through a
// node and get none of their own count for it.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/address.h"
#include "python/objects.h"

namespace sigwhy::python {

using NodeIndex = std::uint16_t;
inline constexpr NodeIndex no_node = 0xffff;

enum class Step : std::uint8_t { root, global, attribute, key, index };

struct Node {
  std::uint64_t key = 0;  // root: where its name is in names; index: itself; else the key object
  Address object;
  std::uint64_t bytes = 0, object_bytes = 0;
  std::uint64_t graph_tensor = 0;  // a tensor that keeps a graph
  std::uint32_t arrays = 0, objects = 0;
  NodeIndex parent = no_node;
  std::uint16_t place = 0;  // of a root
  Step step = Step::root;
  Kind kind = Kind::instance;
  std::uint8_t depth = 0;
  bool is_holder = false;
};
static_assert(sizeof(Node) == 56);

// Where roots live.
struct RootPlace {
  Address frame;   // or
  Address module;  // its dictionary
  std::int32_t offset = 0;
  bool own = false;
};

struct Pending {
  std::uint64_t object : 48;
  std::uint64_t node : 16;
};
static_assert(sizeof(Pending) == 8);

// Arrays of one node that are alike; the sample tells the rest.
struct GroupCount {
  std::uint32_t signature = 0;
  NodeIndex node = no_node;
  std::uint64_t count = 0, bytes = 0, sample = 0;
};

struct TypeTotal {
  std::uint64_t type = 0, count = 0, bytes = 0;
};

struct LargeBlock {
  std::uint64_t start = 0, bytes = 0, hash = 0;
  NodeIndex node = no_node;
  bool told = false;
};

class CensusRoom {
 public:
  explicit CensusRoom(std::span<std::byte> scratch);
  bool fits() const { return fits_; }

  // False where it was seen before. May take one in a few million new ones for seen.
  bool first_visit(std::uint64_t key);
  // It was of no interest on this way; on another it may be.
  void forget(std::uint64_t key);
  bool seen_is_full() const { return seen_count_ >= seen_.size() / 8 * 7; }

  bool push(Pending pending);
  std::optional<Pending> pop();
  bool has_pending() const { return pending_count_ != 0; }
  void forget_pending() { pending_count_ = 0; }

  Node& node(NodeIndex index) { return nodes_[index]; }
  const Node& node(NodeIndex index) const { return nodes_[index]; }
  NodeIndex nodes() const { return node_count_; }
  NodeIndex add_node(const Node& node);  // no_node: full
  bool nodes_are_short() const { return node_count_ > nodes_.size() / 4 * 3; }
  std::string_view name(std::uint64_t at) const;
  std::optional<std::uint64_t> add_name(std::string_view name);
  std::optional<std::uint16_t> add_place(const RootPlace& place);
  const RootPlace& place(std::uint16_t index) const { return places_[index]; }

  // Nodes, names and places since then held nothing and are forgotten.
  struct Mark {
    NodeIndex nodes;
    std::size_t names, places;
  };
  Mark mark() const { return {node_count_, name_bytes_, place_count_}; }
  void rewind(const Mark& mark);

  void add_to_type(std::uint64_t type, std::uint64_t count, std::uint64_t bytes);
  void add_to_group(NodeIndex node, std::uint32_t signature, std::uint64_t bytes, Address sample);
  void add_block(const LargeBlock& block);

  std::span<TypeTotal> types() const { return types_; }
  std::span<GroupCount> groups() const { return groups_; }
  std::span<LargeBlock> blocks() const { return blocks_.first(block_count_); }
  std::span<std::byte> cache() const { return cache_; }
  bool turned_away() const { return turned_away_; }

 private:
  template <class T> std::span<T> take(std::size_t count);

  std::span<std::byte> left_;
  bool fits_ = true, turned_away_ = false;
  std::span<std::uint32_t> seen_;
  std::span<Pending> pending_;
  std::span<Node> nodes_;
  std::span<char> names_;
  std::span<RootPlace> places_;
  std::span<TypeTotal> types_;
  std::span<GroupCount> groups_;
  std::span<LargeBlock> blocks_;
  std::span<std::byte> cache_;
  std::size_t seen_count_ = 0, first_pending_ = 0, pending_count_ = 0, name_bytes_ = 0, place_count_ = 0,
              block_count_ = 0, smallest_block_ = 0;
  NodeIndex node_count_ = 0;
};

}  // namespace sigwhy::python
