#include "python/census_holders.h"

#include <algorithm>

namespace sigwhy::python {

namespace {

std::uint64_t weight(const Node& n) { return n.bytes + n.object_bytes; }

void move_figures(Node& to, const Node& from, bool away) {
  const auto sign = [&](auto value) { return away ? static_cast<decltype(value)>(0 - value) : value; };
  to.bytes += sign(from.bytes);
  to.object_bytes += sign(from.object_bytes);
  to.arrays += sign(from.arrays);
  to.objects += sign(from.objects);
}

// A child of an instance with a real share of it is told by its own name: `self.outputs`.
constexpr std::uint64_t own_share_percent = 10;
// What has next to everything of its parent is told in its place: `state['cache'].rows`, not `state`.
constexpr std::uint64_t all_percent = 75;

}  // namespace

void choose_holders(CensusRoom& room) {
  const NodeIndex count = room.nodes();
  // Children come behind their parents.
  for (NodeIndex i = count; i-- > 0;)
    if (const Node& n = room.node(i); n.parent != no_node) move_figures(room.node(n.parent), n, false);
  for (NodeIndex i = 0; i < count; ++i) room.node(i).is_holder = room.node(i).parent == no_node;
  // A parent is settled before its children. What is taken out of it does not count for it any more, but decisions
  // about its other children are made by what it had at first: those come one behind another, so the share of what
  // is left can only be larger, and the order of attributes does not matter much.
  for (NodeIndex i = 0; i < count; ++i) {
    Node& child = room.node(i);
    if (child.parent == no_node) continue;
    Node& parent = room.node(child.parent);
    if (!parent.is_holder || weight(child) == 0) continue;
    const bool own_name = child.step == Step::attribute;
    const bool element_array = child.step == Step::index && child.arrays == 1 && child.objects <= 1;
    const auto share = own_name ? own_share_percent : all_percent;
    const bool taken = !element_array && weight(child) >= weight(parent) / 100 * share;
    if (!taken && !(own_name && child.graph_tensor)) continue;
    child.is_holder = true;
    move_figures(parent, child, true);
  }
}

}  // namespace sigwhy::python
