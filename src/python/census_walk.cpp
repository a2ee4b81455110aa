#include "python/census_walk.h"

#include <time.h>

#include <algorithm>

#include "python/texts.h"

namespace sigwhy::python {

namespace {

// Bytes are text more often than data; these are large enough to be called data.
constexpr std::uint64_t least_data_bytes = 512;
constexpr std::uint64_t large_array_bytes = 1u << 20;
constexpr std::uint64_t named_elements = 32;
constexpr std::uint8_t most_depth = 8;
constexpr int most_inside = 3;
constexpr std::uint32_t between_clocks = 64;

double now_s() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

bool is_entered(Kind kind) {
  switch (kind) {
    case Kind::list:
    case Kind::tuple:
    case Kind::dict:
    case Kind::set:
    case Kind::exception:
    case Kind::type:
    case Kind::callable:
    case Kind::cell:
    case Kind::instance: return true;
    default: return false;
  }
}

bool is_uncounted(Kind kind) { return kind == Kind::none || kind == Kind::boolean || kind == Kind::module; }

Pending pending(Address object, NodeIndex node) {
  constexpr std::uint64_t mask = (std::uint64_t{1} << 48) - 1;
  return {.object = object.value & mask, .node = node};
}

std::uint32_t signature_of(const ArrayFacts& a) {
  std::uint64_t hash = static_cast<std::uint64_t>(a.kind) + 1;
  const auto mix = [&](std::uint64_t value) { hash = (hash ^ value) * 0x100000001b3; };
  for (const char c : a.dtype.view()) mix(static_cast<unsigned char>(c));
  mix(a.dimensions);
  for (std::size_t i = 0; i < a.dimensions; ++i) mix(static_cast<std::uint64_t>(a.shape[i]));
  return static_cast<std::uint32_t>(hash ^ hash >> 32);
}

}  // namespace

CensusWalk::CensusWalk(const Objects& objects, CensusRoom& room, const CensusRequest& request)
    : o_(objects), room_(room), request_(request), started_s_(now_s()) {}

double CensusWalk::seconds() const { return now_s() - started_s_; }

bool CensusWalk::may_go_on() {
  if (totals.cut) return false;
  if (totals.objects > request_.limits.objects) totals.cut |= cut_by_objects;
  if (room_.seen_is_full()) totals.cut |= cut_by_room;
  if (++steps_ % between_clocks == 0 && seconds() > request_.limits.seconds) totals.cut |= cut_by_time;
  return totals.cut == 0;
}

void CensusWalk::root(std::string_view name, Address object, std::uint16_t place) {
  const auto* type = o_.type_of(object);
  if (!type || is_uncounted(type->kind)) return;
  if (!is_entered(type->kind) && !is_array(type->kind) && type->kind != Kind::bytes) {
    offer(object, {.named = false});
    return;
  }
  const auto mark = room_.mark();
  const auto at = room_.add_name(name);
  const auto node = at ? room_.add_node({.key = *at, .object = object, .place = place, .kind = type->kind}) : no_node;
  if (node == no_node) totals.cut |= cut_by_room;
  else if (!offer(object, {.from = node, .step = Step::root})) room_.rewind(mark);
}

NodeIndex CensusWalk::node_for(Address object, const TypeInfo& type, const Way& way, bool array) {
  if (way.step == Step::root || !way.named || way.from == no_node) return way.from;
  const Node& parent = room_.node(way.from);
  if (parent.depth >= most_depth) return way.from;
  if (way.step == Step::index && (array || way.key >= named_elements)) return way.from;
  // torch keeps layers and weights in dictionaries and shows them as attributes: model.fc.weight.
  if (type.kind == Kind::dict && way.step == Step::attribute && is_registry(Address{way.key})) return way.from;
  const auto node = room_.add_node({.key = way.key,
                                    .object = object,
                                    .parent = way.from,
                                    .place = parent.place,
                                    .step = way.step,
                                    .kind = type.kind,
                                    .depth = static_cast<std::uint8_t>(parent.depth + 1)});
  return node == no_node ? way.from : node;
}

bool CensusWalk::is_registry(Address key) const {
  TextBuffer<16> text;
  if (!read_text(o_.memory(), o_.layout(), key, text)) return false;
  return text.view() == "_modules" || text.view() == "_parameters" || text.view() == "_buffers";
}

void CensusWalk::add_object(Address object, const TypeInfo& type, NodeIndex node, std::uint32_t stands_for) {
  const auto bytes = shallow_bytes(o_, object, type, request_.places);
  totals.objects += stands_for;
  totals.object_bytes += bytes * stands_for;
  room_.add_to_type(type.at.value, stands_for, bytes * stands_for);
  if (node == no_node) return;
  room_.node(node).objects += stands_for;
  room_.node(node).object_bytes += bytes * stands_for;
}

void CensusWalk::add_array(Address object, const TypeInfo& type, NodeIndex node, const Way& way) {
  ArrayFacts a;
  if (!read_array(o_, object, type, a) && !(type.kind == Kind::bytes && read_buffer(o_, object, type, a))) return;
  if (type.kind == Kind::torch_tensor && node != no_node && keeps_graph(o_.memory(), object)) {
    // A name of its own, however small it is.
    if (node == way.from && way.step != Step::root && way.step != Step::index) node = node_for(object, type, way, true);
    if (!room_.node(node).graph_tensor) room_.node(node).graph_tensor = object.value;
  }
  if (a.holds_objects)
    object_elements(o_, a, std::uint64_t{1} << 22, [&](std::uint64_t i, Address element) {
      offer(element, {.from = node, .step = Step::index, .key = i});
      return may_go_on();
    });
  const auto start = a.memory_start ? a.memory_start : a.data;
  auto bytes = a.memory_start && a.memory_bytes ? *a.memory_bytes : a.bytes;
  // Memory and object may begin at one address (bytes): they are told apart by a bit that no address has.
  if (!start || !start->value || bytes == 0 || !room_.first_visit(start->value | std::uint64_t{1} << 63)) return;
  if (request_.places) bytes = request_.places->array(*start, bytes);
  if (node != no_node && bytes >= large_array_bytes && node == way.from && way.step != Step::root)
    node = node_for(object, type, way, true);
  totals.arrays += 1;
  totals.array_bytes += bytes;
  totals.bytes_by_kind[static_cast<std::size_t>(a.kind) % std::size(totals.bytes_by_kind)] += bytes;
  if (node == no_node) return;
  room_.node(node).arrays += 1;
  room_.node(node).bytes += bytes;
  room_.add_to_group(node, signature_of(a), bytes, object);
  if (bytes >= large_array_bytes) room_.add_block({.start = start->value, .bytes = bytes, .node = node});
}

bool CensusWalk::offer(Address object, const Way& way) {
  const auto* found = o_.type_of(object);
  if (!found || is_uncounted(found->kind)) return false;
  const bool entered = is_entered(found->kind);
  bool array = is_array(found->kind);
  if (found->kind == Kind::bytes) array = o_.length(object, Kind::bytes).value_or(0) >= least_data_bytes;
  if (!room_.first_visit(object.value)) return way.step != Step::root && (array || entered);
  const TypeInfo type = *found;
  if (array) {
    add_object(object, type, way.from, way.stands_for);
    add_array(object, type, way.from, way);
    return true;
  }
  const auto node = entered ? node_for(object, type, way, false) : way.from;
  add_object(object, type, node, way.stands_for);
  if (!entered) return false;
  if (room_.push(pending(object, node))) return true;
  // A queue that is full: better a name that is perhaps not the shortest than none.
  if (inside_ < most_inside) {
    ++inside_;
    enter(object, node);
    --inside_;
  } else {
    totals.cut |= cut_by_room;
  }
  return true;
}

void CensusWalk::run() {
  while (const auto next = room_.pop())
    if (may_go_on()) enter(Address{next->object}, static_cast<NodeIndex>(next->node));
}

}  // namespace sigwhy::python
