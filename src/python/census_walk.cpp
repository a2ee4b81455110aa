#include "python/census_walk.h"

#include <time.h>

#include <algorithm>
#include <utility>

#include "python/texts.h"

namespace sigwhy::python {

namespace {

// Bytes are text more often than data; these are large enough to be called data.
constexpr std::uint64_t least_data_bytes = 512;
constexpr std::uint64_t large_array_bytes = 1u << 20;
constexpr std::uint64_t named_elements = 32;
constexpr std::uint8_t most_depth = 8, free_depth = 2;  // names so short are given as long as there is room at all
constexpr int most_inside = 3;
constexpr std::uint32_t between_clocks = 256;
constexpr double library_share = 0.4;

double now_s(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
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

CensusWalk::CensusWalk(const Objects& objects, const ScratchCache& memory, CensusRoom& room, const CensusRequest& request)
    : o_(objects), memory_(memory), room_(room), request_(request), started_s_(now_s(CLOCK_MONOTONIC)),
      started_cpu_s_(now_s(CLOCK_THREAD_CPUTIME_ID)), allowed_s_(request.limits.seconds) {}

double CensusWalk::seconds() const { return now_s(CLOCK_MONOTONIC) - started_s_; }

void CensusWalk::libraries_come() {
  own_ = false;
  allowed_s_ = request_.limits.seconds * library_share;
}

// On a busy machine it may take a little longer than it works: the memory of a process that is killed for it stays
// for two seconds, and others want to read it too.
bool CensusWalk::may_go_on() {
  if (stopped_) return false;
  const auto stop = [&](std::uint32_t why) {
    stopped_ = true;
    cut(why);
  };
  if (totals.objects > request_.limits.objects) stop(cut_by_objects);
  else if (room_.seen_is_full()) stop(cut_by_room);
  else if (++steps_ % between_clocks == 0 &&
           (now_s(CLOCK_THREAD_CPUTIME_ID) - started_cpu_s_ > allowed_s_ || seconds() > 1.2 * allowed_s_))
    stop(cut_by_time);
  return !stopped_;
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
  if (node == no_node) offer(object, {.named = false});
  else if (!offer(object, {.from = node, .step = Step::root})) room_.rewind(mark);
}

void CensusWalk::global(Address name, Address object, std::uint16_t place) {
  later(object, {.step = Step::global, .place = place, .key = name.value});
}

bool CensusWalk::is_wanted(const TypeInfo& type, const Way& way) const {
  const auto kind = type.kind;
  // A library's functions and classes are reached from everywhere and hold little.
  if (way.step == Step::global && !room_.place(way.place).own) return kind != Kind::callable && kind != Kind::type;
  if (way.through == Through::name) return true;
  if (kind == Kind::type || type.name() == "code" || type.name() == "frame") return false;
  // A function refers to its module's dictionary and its own names, too.
  return way.through == Through::word || kind == Kind::tuple || kind == Kind::instance || kind == Kind::callable;
}

NodeIndex CensusWalk::node_for(Address object, const TypeInfo& type, const Way& way, bool array) {
  if (way.step == Step::global) return room_.add_node({.key = way.key, .object = object, .place = way.place, .step = way.step, .kind = type.kind});
  if (way.step == Step::root || !way.named || way.from == no_node) return way.from;
  const Node& parent = room_.node(way.from);
  if (parent.depth >= most_depth || (parent.depth >= free_depth && room_.nodes_are_short())) return way.from;
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
    if (node == way.from && way.step > Step::global && way.step != Step::index) node = node_for(object, type, way, true);
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
  if (node != no_node && bytes >= large_array_bytes && node == way.from && way.step > Step::global)
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

// Most references lead to what is known already: nothing is read for those.
void CensusWalk::later(Address object, const Way& way, Interest* interest) {
  if (object.value && room_.first_visit(object.value)) waiting_[waiting_count_++] = {object, way, interest};
  else if (interest) interest->seen(false);
  if (waiting_count_ == batch) look_at_those();
}

void CensusWalk::look_at_those() {
  // Looking at one may begin a new batch (where the queue is full).
  std::array<Waiting, batch> those;
  const auto count = std::exchange(waiting_count_, 0);
  std::copy_n(waiting_.begin(), count, those.begin());
  std::array<Address, batch> wanted;
  for (std::size_t i = 0; i < count; ++i) wanted[i] = those[i].object;
  memory_.prefetch(std::span(wanted).first(count));
  for (std::size_t i = 0; i < count; ++i) {
    const bool interesting = look_at(those[i].object, those[i].way);
    if (those[i].interest) those[i].interest->seen(interesting);
  }
}

bool CensusWalk::offer(Address object, const Way& way) {
  return object.value && room_.first_visit(object.value) && look_at(object, way);
}

bool CensusWalk::look_at(Address object, const Way& way) {
  const auto* found = o_.type_of(object);
  if (!found || is_uncounted(found->kind)) return false;
  if (!is_wanted(*found, way)) {
    room_.forget(object.value);
    return false;
  }
  const bool entered = is_entered(found->kind);
  bool array = is_array(found->kind);
  if (found->kind == Kind::bytes) array = o_.length(object, Kind::bytes).value_or(0) >= least_data_bytes;
  const TypeInfo type = *found;
  if (array) {
    const auto own = way.step == Step::global ? node_for(object, type, way, true) : way.from;
    add_object(object, type, own, way.stands_for);
    add_array(object, type, own, way);
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
    cut(cut_by_room);
  }
  return true;
}

// Some at a time, so that their heads, and then what those lead to, are asked for together.
void CensusWalk::enter_some() {
  std::array<Pending, batch> some;
  std::array<Address, batch> wanted;
  std::size_t count = 0;
  while (count < batch / 2) {
    const auto next = room_.pop();
    if (!next) break;
    some[count] = *next;
    wanted[count++] = Address{next->object};
  }
  memory_.prefetch(std::span(wanted).first(count));
  std::size_t second = 0;
  const auto& at = o_.layout().objects;
  for (std::size_t i = 0; i < count; ++i) {
    const auto* type = o_.type_of(Address{some[i].object});
    if (!type) continue;
    const Address object{some[i].object};
    if (type->kind == Kind::list) wanted[second++] = o_.pointer(object + at.list.items);
    else if (type->kind == Kind::dict && at.dict.keys) wanted[second++] = o_.pointer(object + *at.dict.keys);
    else if (type->kind == Kind::instance && type->dict_offset > 0)
      wanted[second++] = o_.pointer(object + static_cast<std::uint64_t>(type->dict_offset));
    else if (type->kind == Kind::instance && at.attributes == ManagedAttributes::tagged)
      wanted[second++] = Address{o_.pointer(object - 24).value};
    else if (type->kind == Kind::instance && at.attributes == ManagedAttributes::values_before)
      wanted[second++] = o_.pointer(object - 32);
  }
  memory_.prefetch(std::span(wanted).first(second));
  for (std::size_t i = 0; i < count && may_go_on(); ++i) enter(Address{some[i].object}, static_cast<NodeIndex>(some[i].node));
}

void CensusWalk::run() {
  look_at_those();
  while (room_.has_pending()) {
    enter_some();
    look_at_those();
    if (!may_go_on()) return room_.forget_pending();
  }
}

}  // namespace sigwhy::python
