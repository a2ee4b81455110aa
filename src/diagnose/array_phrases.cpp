#include "diagnose/array_phrases.h"

#include <fmt/format.h>

#include "diagnose/phrases.h"
#include "evidence/array_words.h"

namespace sigwhy::diagnose {

namespace {

constexpr std::uint64_t header_bytes = 16, malloc_alignment = 16;

std::string verb(const MemoryFault& m) {
  if (m.access == Access::write) return "wrote";
  return m.access == Access::read_write ? "changed" : "read";
}

std::string plural(std::uint64_t n) { return count_text(n) + (n == 1 ? " element" : " elements"); }

// Behind or before an array without gaps the count simply goes on.
std::string beyond_text(const Facts& f, const ArrayAccess& at) {
  const Array& a = f.snapshot.arrays[at.array];
  const auto& fact = f.arrays[at.array];
  if (!is_contiguous(a))
    return fmt::format("{} {} the {} element of {}", did(*f.memory), bytes_text(at.bytes) + (at.before ? " before" : " behind"),
                       at.before ? "first" : "last", fact.name);
  const auto item = static_cast<std::int64_t>(a.item_bytes);
  const auto offset = static_cast<std::int64_t>(f.memory->address.value - fact.elements->low);
  const auto element = offset >= 0 ? offset / item : (offset - item + 1) / item;
  const auto count = element_count(a);
  return fmt::format("{} element {} of {}; it has {}, the last is {}", verb(*f.memory), signed_text(element), fact.name,
                     plural(count), count_text(count - 1));
}

std::string promised_text(const Facts& f, const ArrayAccess& at) {
  const auto& memory = *f.arrays[at.array].memory;
  const auto address = f.memory->address.value;
  const bool before = address < memory.low;
  return fmt::format("{} {}, {} {} of the {} it is a view of", verb(*f.memory), element_text(f),
                     bytes_text(before ? memory.low - address : address - memory.high),
                     before ? "before the start" : "behind the end", bytes_text(memory.bytes()));
}

Fact what_it_is(const Facts& f, std::size_t i) {
  const Array& a = f.snapshot.arrays[i];
  const auto& own = f.arrays[i];
  auto sentence = fmt::format("{} is {}", own.name, array_text(a));
  if (own.leaves_memory)
    sentence += fmt::format(": with strides {} it spans bytes {} to {} of the {} it is a view of",
                            shape_text(a.strides.value_or(std::vector<std::int64_t>{})),
                            signed_text(static_cast<std::int64_t>(own.elements->low - own.memory->low)),
                            signed_text(static_cast<std::int64_t>(own.elements->high - own.memory->low)),
                            count_text(own.memory->bytes()));
  else if (is_contiguous(a)) sentence += ": " + bytes_text(a.bytes);
  return fact("array", std::move(sentence), {array_ref(i)});
}

Fact what_ties(const Facts& f, const ArrayAccess& at) {
  const auto& name = f.arrays[at.array].name;
  if (at.tie == Tie::line)
    return fact("tie",
                fmt::format("{} is all that the Python line hands over, and the memory from there to the address is one "
                            "piece",
                            name),
                {array_ref(at.array), ref("/fault/address")});
  const auto value = register_value(f, at.by);
  const bool start = value == f.arrays[at.array].elements->low;
  return fact("tie", fmt::format("{} points to {}{}", at.by, start ? "the start of " : "an element of ", name),
              {register_ref(f, at.by), array_ref(at.array)});
}

bool is_plain_number(const Array& a) {
  const bool width = a.item_bytes == 2 || a.item_bytes == 4 || a.item_bytes == 8;
  return width && (a.dtype.starts_with("int") || a.dtype.starts_with("uint") || a.dtype.starts_with("float"));
}

// The index would be right for elements of the array's own size, and the step is that of another type.
std::optional<Fact> other_step(const Facts& f, const ArrayAccess& at) {
  const Array& a = f.snapshot.arrays[at.array];
  const auto& m = *f.memory;
  if (at.tie != Tie::base || !m.index || !is_plain_number(a) || !is_contiguous(a)) return std::nullopt;
  const auto scale = m.operand->scale;
  const bool from_start = m.base->value == f.arrays[at.array].elements->low && m.operand->displacement == 0;
  if (!from_start || scale <= 1 || scale == a.item_bytes || m.width_bytes != scale) return std::nullopt;
  if (m.index->value >= element_count(a)) return std::nullopt;
  return fact("step",
              fmt::format("the index {} is one of its elements, but the instruction takes {} each; {} elements have {}",
                          count_text(m.index->value), bytes_text(scale), a.dtype, bytes_text(a.item_bytes)),
              {operand_ref(m), array_ref(at.array)});
}

// A register that holds the array's size in bytes where it is walked by elements.
std::optional<Fact> bytes_for_count(const Facts& f, const ArrayAccess& at) {
  const Array& a = f.snapshot.arrays[at.array];
  if (at.before || a.item_bytes < 2 || a.bytes < 256) return std::nullopt;
  for (const std::string_view name : {"rdi", "rsi", "rdx", "rcx", "r8", "r9"})
    if (register_value(f, name) == a.bytes)
      return fact("count",
                  fmt::format("{} holds {}: its size in bytes; it has {}", name, count_text(a.bytes),
                              plural(element_count(a))),
                  {register_ref(f, name), array_ref(at.array)});
  return std::nullopt;
}

}  // namespace

std::string index_text(const std::vector<std::int64_t>& index) {
  return index.size() == 1 ? signed_text(index[0]) : shape_text(index);
}

std::string element_text(const Facts& f) {
  if (!f.array_access || f.array_access->tie != Tie::element) return {};
  const auto& name = f.arrays[f.array_access->array].name;
  if (f.array_access->index.empty()) return "the value of " + name;
  if (!has_distinct_elements(f.snapshot.arrays[f.array_access->array])) return "an element of " + name;
  return fmt::format("element {} of {}", index_text(f.array_access->index), name);
}

std::string array_access_text(const Facts& f) {
  const ArrayAccess& at = *f.array_access;
  if (at.promised) return promised_text(f, at);
  return at.tie == Tie::element ? verb(*f.memory) + " " + element_text(f) : beyond_text(f, at);
}

EvidenceRef array_ref(std::size_t array) { return {fmt::format("/arrays/{}", array)}; }

std::vector<Fact> array_access_facts(const Facts& f) {
  if (!f.array_access) return {};
  const ArrayAccess& at = *f.array_access;
  std::vector<Fact> out;
  if (at.tie == Tie::element)
    out.push_back(fact("element", fmt::format("the address is that of {}", element_text(f)),
                       {ref("/fault/address"), array_ref(at.array)}));
  else out.push_back(what_ties(f, at));
  out.push_back(what_it_is(f, at.array));
  if (auto step = other_step(f, at)) out.push_back(std::move(*step));
  if (auto count = bytes_for_count(f, at); count && at.tie != Tie::element) out.push_back(std::move(*count));
  return out;
}

std::vector<Fact> named_pointer_facts(const Facts& f) {
  if (!f.named_pointer) return {};
  const auto& n = *f.named_pointer;
  return {fact("name",
               n.type == "int" ? fmt::format("`{}` is an integer that holds exactly this address", n.name)
                               : fmt::format("`{}` ({}) points exactly there", n.name, n.type),
               {ref(n.path)})};
}

std::optional<std::size_t> array_with_memory(const Facts& f, Address address) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < f.arrays.size(); ++i) {
    const auto& memory = f.arrays[i].memory;
    if (!memory || !memory->holds(address.value)) continue;
    if (!best || memory->bytes() < f.arrays[*best].memory->bytes()) best = i;
  }
  return best;
}

// A block's header takes the 16 bytes before it, of which the first 8 still belong to the block in front; behind an
// array lie up to 15 more that malloc rounded up.
std::optional<std::size_t> array_ending_at(const Facts& f, Address block) {
  for (std::size_t i = 0; i < f.arrays.size(); ++i) {
    const auto& memory = f.arrays[i].memory;
    const auto header = block.value - header_bytes;
    if (memory && memory->high <= header + 8 && memory->high + malloc_alignment > header) return i;
  }
  return std::nullopt;
}

}  // namespace sigwhy::diagnose
