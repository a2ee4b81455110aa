// torch: a tensor that was computed from others which want gradients keeps the way it was computed, and with it all
// that the way back will need. In memory: tensor -> TensorImpl -> what autograd knows of it -> (shared_ptr) the node
// of the graph that made it. Nobody promises where in those structures the pointers are. But a node knows itself: it
// inherits from enable_shared_from_this, so its second and third word are a weak_ptr to itself, with the very control
// block that the shared_ptr has. Three words that have to agree are no accident; where none do, nothing is said.
#include <array>

#include "python/census_walk.h"

namespace sigwhy::python {

namespace {

// Counters of references in front of it are two words, since 2.6 two halves of one.
constexpr std::uint64_t implementation = 24, autograd_places[] = {24, 32};
constexpr std::size_t autograd_words = 12;
constexpr std::size_t node_words = 24, most_edges = 64;
constexpr std::size_t stack_room = 512;

struct Shared {
  std::uint64_t object = 0, control = 0;
};

bool plausible(std::uint64_t a) { return a >= 4096 && a % 8 == 0 && a >> 47 == 0; }

bool is_node(const Memory& memory, const Shared& p) {
  if (!plausible(p.object) || !plausible(p.control)) return false;
  const auto head = memory.read_value<std::array<std::uint64_t, 3>>(Address{p.object});
  return head && plausible((*head)[0]) && (*head)[1] == p.object && (*head)[2] == p.control;
}

Shared function_of(const Memory& memory, Address tensor) {
  const auto follow = [&](std::uint64_t from, std::uint64_t offset) {
    return plausible(from) ? memory.read_value<std::uint64_t>(Address{from} + offset).value_or(0) : 0;
  };
  const auto tensor_impl = follow(tensor.value, implementation);
  for (const auto place : autograd_places) {
    const auto meta = follow(tensor_impl, place);
    const auto words = plausible(meta) ? memory.read_value<std::array<std::uint64_t, autograd_words>>(Address{meta}) : std::nullopt;
    for (std::size_t i = 1; words && i + 2 <= autograd_words; ++i)
      if (const Shared found{(*words)[i], (*words)[i + 1]}; is_node(memory, found)) return found;
  }
  return {};
}

// A node's edges are a vector of { shared_ptr, number }; which of its words begin that vector, they tell themselves.
template <class Visit>
void edges_of(const Memory& memory, std::uint64_t node, Visit visit) {
  struct Edge {
    Shared to;
    std::uint64_t input;
  };
  const auto words = memory.read_value<std::array<std::uint64_t, node_words>>(Address{node});
  if (!words) return;
  for (std::size_t i = 3; i + 3 <= node_words; ++i) {
    const auto begin = (*words)[i], end = (*words)[i + 1], room = (*words)[i + 2];
    if (!plausible(begin) || end <= begin || room < end || (end - begin) % sizeof(Edge) != 0 ||
        (end - begin) / sizeof(Edge) > most_edges)
      continue;
    bool any = false;
    for (auto at = begin; at < end; at += sizeof(Edge)) {
      const auto edge = memory.read_value<Edge>(Address{at});
      if (!edge || !is_node(memory, edge->to)) continue;
      any = true;
      visit(edge->to);
    }
    if (any) return;
  }
}

}  // namespace

// A parameter has a node as well, which only collects its gradient: no edges lead on from there.
bool keeps_graph(const Memory& memory, Address tensor) {
  const auto node = function_of(memory, tensor);
  bool leads_on = false;
  if (node.object) edges_of(memory, node.object, [&](const Shared&) { leads_on = true; });
  return leads_on;
}

// Depth first; `first_visit` remembers which nodes were met.
std::uint64_t graph_nodes(const Memory& memory, Address tensor, std::uint64_t most,
                          FunctionRef<bool(std::uint64_t)> first_visit) {
  std::array<std::uint64_t, stack_room> stack;
  std::size_t depth = 0;
  std::uint64_t count = 0;
  const auto add = [&](const Shared& node) {
    if (depth < stack.size() && first_visit(node.object)) stack[depth++] = node.object;
  };
  if (const auto first = function_of(memory, tensor); first.object) add(first);
  while (depth && count < most) {
    const auto node = stack[--depth];
    ++count;
    edges_of(memory, node, add);
  }
  return count;
}

}  // namespace sigwhy::python
