// The join of the refused access with an array. An array is blamed only where something ties the two: the address is
// one of its elements, a register of the operand still points into it, or it was handed to the call and the memory
// from there to the address is one piece that a loop can have walked. An array that merely lies below the address
// says nothing.
#include <signal.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "diagnose/bounds.h"
#include "diagnose/facts_parts.h"
#include "diagnose/value_shapes.h"

namespace sigwhy::diagnose {

namespace {

constexpr std::uint64_t least_pointer = 64u << 10;
constexpr std::array argument_registers = {"rdi", "rsi", "rdx", "rcx", "r8",  "r9",  "rax", "rbx",
                                           "rbp", "r10", "r11", "r12", "r13", "r14", "r15"};

bool is_unmapped(const Facts& f, Address a) { return !place_of(f.snapshot, a).region; }

// ---- the address is an element

// Of several that have an element there: what the line hands on, then what the user has a name for, then the smallest,
// as an address in it says most.
void keep_better(const Facts& f, std::optional<ArrayAccess>& best, ArrayAccess next) {
  const auto rank = [&](const ArrayAccess& a) {
    const auto& fact = f.arrays[a.array];
    return std::tuple(!fact.at_line, !fact.users, fact.elements->bytes());
  };
  if (best && rank(*best) <= rank(next)) return best->rivals.push_back(next.array);
  if (best) next.rivals.push_back(best->array);
  best = std::move(next);
}

// NumPy walks arrays by their own shape and strides and nothing else.
bool is_numpy_walking(const Facts& f) {
  const auto& module = f.culprit ? f.dying->frames[*f.culprit].module : std::nullopt;
  return module && *module < f.snapshot.modules.size() && f.snapshot.modules[*module].package == "numpy" && f.python && !f.python->waits;
}

// A hand-made view may span half the address space: an address in it says something only where the line uses the view
// and nothing else in the call can have led there. Foreign code can lead anywhere from any array it is given.
bool is_only_suspect(const Facts& f, std::size_t view, bool numpy) {
  if (!f.arrays[view].at_line) return false;
  for (std::size_t i = 0; i < f.arrays.size(); ++i) {
    const auto& other = f.arrays[i];
    const bool same = other.memory && other.memory->low == f.arrays[view].memory->low;
    if (!other.at_line || same) continue;
    const bool sound = other.memory && !other.leaves_memory && !is_unmapped(f, {other.memory->low});
    if (!numpy || !sound) return false;
  }
  return true;
}

std::optional<ArrayAccess> element(const Facts& f, std::size_t i) {
  const Array& a = f.snapshot.arrays[i];
  const ArrayFact& fact = f.arrays[i];
  const auto address = f.memory->address;
  auto index = element_at(a, address.value);
  if (!index) return std::nullopt;
  const bool promised = fact.memory && !fact.memory->holds(address.value);
  const bool numpy = is_numpy_walking(f);
  if (promised && !is_only_suspect(f, i, numpy)) return std::nullopt;
  const bool gone = !promised && is_unmapped(f, *a.data) && is_unmapped(f, address);
  return ArrayAccess{.array = i,
                     .tie = Tie::element,
                     .index = std::move(*index),
                     .promised = promised,
                     .certain = promised && numpy,
                     .gone = gone,
                     .cut = !promised && !gone && is_unmapped(f, address)};
}

// Two names of one memory are no rivals.
void drop_same_memory(const Facts& f, ArrayAccess& access) {
  const auto& own = f.arrays[access.array];
  std::erase_if(access.rivals, [&](std::size_t i) {
    const auto& other = f.arrays[i];
    return own.memory && other.memory && own.memory->low == other.memory->low;
  });
}

std::optional<ArrayAccess> by_element(const Facts& f) {
  std::optional<ArrayAccess> best;
  for (std::size_t i = 0; i < f.arrays.size(); ++i)
    if (auto next = element(f, i)) keep_better(f, best, std::move(*next));
  if (best) drop_same_memory(f, *best);
  return best;
}

// ---- the address is outside

bool is_outside(const ArrayFact& fact, std::uint64_t address) {
  return fact.elements && !fact.elements->holds(address) && !(fact.memory && fact.memory->holds(address));
}

ArrayAccess outside(const Facts& f, std::size_t array, Tie tie, std::string_view by) {
  const Span& e = *f.arrays[array].elements;
  const auto address = f.memory->address.value;
  const bool before = address < e.low;
  return {.array = array,
          .tie = tie,
          .by = std::string(by),
          .before = before,
          .bytes = before ? e.low - address : address - e.high};
}

// The array that a pointer into its elements belongs to: that of the line first, then the smallest.
std::optional<std::size_t> array_around(const Facts& f, std::uint64_t pointer) {
  std::optional<std::size_t> best;
  const auto rank = [&](std::size_t i) {
    return std::tuple(!f.arrays[i].at_line, f.arrays[i].elements->low != pointer, f.arrays[i].elements->bytes());
  };
  for (std::size_t i = 0; i < f.arrays.size(); ++i) {
    const auto& fact = f.arrays[i];
    if (!fact.elements || !fact.elements->holds(pointer) || fact.leaves_memory) continue;
    if (is_outside(fact, f.memory->address.value) && (!best || rank(i) < rank(*best))) best = i;
  }
  return best;
}

std::optional<ArrayAccess> by_base(const Facts& f) {
  const auto& m = *f.memory;
  if (!m.base || m.base->value == m.address.value || !m.base->place.region) return std::nullopt;
  const auto array = array_around(f, m.base->value);
  return array ? std::optional(outside(f, *array, Tie::base, m.base->name)) : std::nullopt;
}

std::optional<ArrayAccess> by_sum(const Facts& f) {
  const auto left = left_bounds(f);
  if (!left || left->by != LeftBy::sum) return std::nullopt;
  const auto pointer = register_value(f, left->base_name);
  const auto array = pointer ? array_around(f, *pointer) : std::nullopt;
  return array ? std::optional(outside(f, *array, Tie::sum, left->base_name)) : std::nullopt;
}

// All of [low, high) is mapped and may be read: a loop that started below can have come this far.
bool can_be_walked(const Facts& f, std::uint64_t low, std::uint64_t high) {
  for (int hops = 0; low < high && hops < 64; ++hops) {
    const auto place = place_of(f.snapshot, {low});
    if (!place.region || !is_readable(f.snapshot.regions[*place.region])) return false;
    low = f.snapshot.regions[*place.region].end.value;
  }
  return low >= high;
}

std::optional<std::string> register_with(const Facts& f, std::uint64_t value) {
  for (const std::string_view name : argument_registers)
    if (register_value(f, name) == value) return std::string(name);
  return std::nullopt;
}

// Nearest below the address wins: a walk from a lower one would have to pass through it.
std::optional<ArrayAccess> by_argument(const Facts& f) {
  std::optional<ArrayAccess> best;
  const auto address = f.memory->address.value;
  for (std::size_t i = 0; i < f.arrays.size(); ++i) {
    const auto& fact = f.arrays[i];
    if (!fact.at_line || fact.leaves_memory || !is_outside(fact, address) || address < fact.elements->high) continue;
    const auto by = register_with(f, fact.elements->low);
    if (!by || !can_be_walked(f, fact.elements->low, address)) continue;
    auto next = outside(f, i, Tie::argument, *by);
    if (best && best->bytes <= next.bytes) best->rivals.push_back(i);
    else {
      if (best) next.rivals.push_back(best->array);
      best = std::move(next);
    }
  }
  if (best) drop_same_memory(f, *best);
  return best;
}

// Malloc gives a block this large a mapping of its own: what lies behind it in one piece is not the heap of everyone.
constexpr std::uint64_t least_own_mapping = 128u << 10;

bool is_called_code(const Facts& f) {
  const auto family = f.culprit ? f.frames[*f.culprit].family : Family::unknown;
  return family == Family::user || family == Family::extension;
}

// An optimised loop counts the argument's own register up: nothing holds the start any more. What is left is that
// the code was handed one array only, that lies in memory of its own, and ran over the end of just this memory.
std::optional<ArrayAccess> by_line(const Facts& f) {
  std::optional<std::size_t> only;
  for (std::size_t i = 0; i < f.arrays.size(); ++i) {
    if (!f.arrays[i].at_line) continue;
    const bool same = only && f.arrays[i].memory && f.arrays[*only].memory &&
                      f.arrays[i].memory->low == f.arrays[*only].memory->low;
    if (only && !same) return std::nullopt;
    if (!only) only = i;
  }
  const auto left = left_bounds(f);
  if (!only || !is_called_code(f) || !left || left->by != LeftBy::end || left->before) return std::nullopt;
  const auto& fact = f.arrays[*only];
  const auto address = f.memory->address.value;
  if (fact.leaves_memory || !is_outside(fact, address) || address < fact.elements->high) return std::nullopt;
  const auto place = place_of(f.snapshot, {fact.elements->low});
  const bool own_memory = place.region && f.snapshot.regions[*place.region].kind == RegionKind::anonymous &&
                          fact.elements->bytes() >= least_own_mapping;
  if (!own_memory || !can_be_walked(f, fact.elements->low, address)) return std::nullopt;
  return outside(f, *only, Tie::line, {});
}

// ---- names for the address itself

bool is_number(const PyValue& v, std::uint64_t value) {
  if (!v.text || v.type != "int") return false;
  std::uint64_t number = 0;
  const auto end = v.text->data() + v.text->size();
  return std::from_chars(v.text->data(), end, number).ptr == end && number == value;
}

bool is_pointer_to(const Facts& f, const PyValue& v, std::uint64_t value) {
  return v.array && *v.array < f.snapshot.arrays.size() && f.snapshot.arrays[*v.array].points_to == Address{value};
}

// The outermost of the frames down to the user's own has the name that the user gave it.
std::optional<NamedPointer> named_pointer(const Facts& f, std::uint64_t value) {
  if (!f.python || value < least_pointer) return std::nullopt;
  const auto& frames = f.snapshot.threads[f.python->thread].python;
  for (auto i = std::min(f.python->frame + 1, frames.size()); i-- > 0;)
    for (std::size_t v = 0; v < frames[i].values.size(); ++v) {
      const auto& one = frames[i].values[v];
      if (is_number(one, value) || is_pointer_to(f, one, value))
        return NamedPointer{one.name, one.type,
                            "/threads/" + std::to_string(f.python->thread) + "/python/" + std::to_string(i) +
                                "/values/" + std::to_string(v)};
    }
  return std::nullopt;
}

}  // namespace

void add_array_access(Facts& f) {
  if (f.jump && f.jump->target.value) f.named_pointer = named_pointer(f, f.jump->target.value);
  if (!f.memory || f.stack_end || f.memory->address.value < least_pointer) return;
  f.named_pointer = named_pointer(f, suspect_value(*f.memory));
  if (!f.named_pointer) f.named_pointer = named_pointer(f, f.memory->address.value);
  // Inside the allocator and the interpreter's own heap the pointers are theirs.
  if (f.inside_heap || (!f.frames.empty() && f.frames[0].role == Role::python_heap)) return;
  for (const auto way : {by_element, by_base, by_sum, by_argument, by_line})
    if ((f.array_access = way(f))) return;
}

}  // namespace sigwhy::diagnose
