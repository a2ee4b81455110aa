#include "diagnose/value_shapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "diagnose/phrases.h"

namespace sigwhy::diagnose {

namespace {

// A program that is not position-independent has its heap so low that links lie close to the blocks themselves.
constexpr std::uint64_t near_heap_bytes = 16ull << 20;
constexpr std::uint64_t least_link = 64u << 10;

struct Fill {
  std::uint8_t fresh, freed;
  std::string switch_name;
};

std::optional<std::uint8_t> repeated_byte(std::uint64_t value) {
  const auto byte = static_cast<std::uint8_t>(value);
  if (value != byte * 0x0101010101010101ull || byte == 0 || byte == 0xff) return std::nullopt;
  return byte;
}

std::optional<Fill> perturb_fill(const Process& p) {
  const auto found = p.switches.find("MALLOC_PERTURB_");
  if (found == p.switches.end()) return std::nullopt;
  unsigned value = 0;
  const auto& text = found->second;
  std::from_chars(text.data(), text.data() + text.size(), value);
  const auto byte = static_cast<std::uint8_t>(value);
  if (byte == 0) return std::nullopt;
  return Fill{static_cast<std::uint8_t>(byte ^ 0xff), byte, "MALLOC_PERTURB_"};
}

// CPython's debug hooks: 0xcd for new memory, 0xdd for freed.
std::optional<Fill> python_fill(const Process& p) {
  for (const auto* name : {"PYTHONMALLOC", "PYTHONDEVMODE"}) {
    const auto found = p.switches.find(name);
    if (found == p.switches.end() || found->second.empty()) continue;
    if (found->first == "PYTHONMALLOC" && found->second.find("debug") == std::string::npos) continue;
    return Fill{0xcd, 0xdd, name};
  }
  return std::nullopt;
}

void add_fill(const Facts& f, std::uint64_t value, std::vector<ValueShape>& out) {
  const auto byte = repeated_byte(value);
  if (!byte) return;
  for (const auto& fill : {perturb_fill(f.snapshot.process), python_fill(f.snapshot.process)}) {
    if (!fill) continue;
    const std::vector<EvidenceRef> evidence{ref("/process/switches/" + fill->switch_name)};
    if (*byte == fill->fresh)
      out.push_back({Shape::fresh_fill,
                     fmt::format("the byte {:#x} that {} puts into new memory", *byte, fill->switch_name), evidence});
    if (*byte == fill->freed)
      out.push_back({Shape::freed_fill,
                     fmt::format("the byte {:#x} that {} puts into freed memory", *byte, fill->switch_name), evidence});
  }
  if (out.empty())
    out.push_back({Shape::plain_fill, fmt::format("the byte {:#x} eight times over", *byte), {ref("/fault")}});
}

// Is `value` the link of some freed block in [start, end)? The block's page is unknown, its upper bits are not.
bool is_link_of(std::uint64_t value, const Region& heap) {
  const std::uint64_t first = heap.start.value >> 12, last = (heap.end.value - 1) >> 12;
  if (value < least_link ||
      value - heap.start.value + near_heap_bytes < heap.end.value - heap.start.value + 2 * near_heap_bytes)
    return false;
  if (value >= first && value <= last) return true;  // the last of its list: next is null
  constexpr std::uint64_t most_pages = 1 << 20;  // of a heap of 4 GiB: a millisecond
  const auto fits = [&](std::uint64_t page) {
    const Address next{value ^ page};
    return next.value % 16 == 0 && heap.start <= next && next < heap.end;
  };
  for (std::uint64_t page = first; page <= last && page - first < most_pages; ++page)
    if (fits(page)) return true;
  return false;
}

void add_link(const Facts& f, std::uint64_t value, std::vector<ValueShape>& out) {
  const auto& regions = f.snapshot.regions;
  for (std::size_t i = 0; i < regions.size(); ++i)
    if (regions[i].kind == RegionKind::heap && regions[i].start < regions[i].end && is_link_of(value, regions[i])) {
      out.push_back(
          {Shape::heap_link, "what malloc keeps in a freed block (a link to the next free one)", {region_ref(i)}});
      return;
    }
}

void add_cut(const Facts& f, std::uint64_t value, std::vector<ValueShape>& out) {
  const bool extended = (value >> 31) == 0x1ffffffffull;
  if ((!extended && (value >> 32) != 0) || value < (1u << 20)) return;
  const std::uint64_t low = value & 0xffffffffull;
  const auto& regions = f.snapshot.regions;
  for (std::size_t i = 0; i < regions.size(); ++i) {
    const Region& r = regions[i];
    const Address whole{(r.start.value & ~0xffffffffull) | low};
    if (whole.value == value || r.start.value >> 32 == 0 || !(r.start <= whole && whole < r.end)) continue;
    out.push_back(
        {Shape::cut_pointer, fmt::format("the lower 32 bits of an address in {}", region_text(f, i)), {region_ref(i)}});
    return;
  }
}

// Only the bits that make an address impossible: any of the lower ones leads to something mapped by chance.
void add_flip(const Facts& f, std::uint64_t value, std::vector<ValueShape>& out) {
  if (Address{value}.canonical()) return;
  for (int bit = 47; bit < 64; ++bit) {
    const auto place = place_of(f.snapshot, {value ^ (1ull << bit)});
    if (!place.region) continue;
    out.push_back({Shape::one_bit_off,
                   fmt::format("an address in {} but for one bit (bit {})", region_text(f, *place.region), bit),
                   {region_ref(*place.region)}});
    return;
  }
}

bool is_data_look(std::string_view look) {
  constexpr std::array starts = {"text:", "two floats", "a double", "two 32-bit numbers"};
  return look.find("was overwritten") != std::string_view::npos ||
         std::ranges::any_of(starts, [&](std::string_view start) { return look.starts_with(start); });
}

// What capture saw in the bytes. A single bit away from something mapped is what many sums are, too.
void add_described(const Facts& f, std::uint64_t value, std::vector<ValueShape>& out) {
  const auto& pointers = f.snapshot.pointers;
  for (std::size_t i = 0; i < pointers.size(); ++i) {
    const auto& looks = pointers[i].looks_like;
    if (pointers[i].value.value != value || looks.empty() || looks.front().starts_with("one bit")) continue;
    const auto shape = looks.front() == freed_mark_look ? Shape::freed_mark
                       : is_data_look(looks.front())    ? Shape::data
                                                        : Shape::described;
    out.push_back({shape, one_line(looks.front(), 80), {ref(fmt::format("/pointers/{}/looks_like", i))}});
    return;
  }
}

}  // namespace

std::vector<ValueShape> shapes_of(const Facts& f, std::uint64_t value) {
  std::vector<ValueShape> out;
  if (value == ~0ull)
    out.push_back({Shape::failure_value, "-1, which many calls return when they fail", {ref("/fault")}});
  add_fill(f, value, out);
  add_cut(f, value, out);
  add_link(f, value, out);
  add_flip(f, value, out);
  add_described(f, value, out);
  return out;
}

const ValueShape* shape_in(const std::vector<ValueShape>& shapes, Shape shape) {
  const auto found = std::ranges::find(shapes, shape, &ValueShape::shape);
  return found == shapes.end() ? nullptr : &*found;
}

std::uint64_t suspect_value(const MemoryFault& m) { return m.base ? m.base->value : m.address.value; }

bool is_freed_object(const Facts& f, std::uint64_t first_word) {
  const auto object = f.memory && f.instruction && f.instruction->is_call ? register_value(f, "rdi") : std::nullopt;
  if (!object || *object % 16 != 0) return false;
  const auto place = place_of(f.snapshot, {*object});
  if (!place.region || !is_data(f.snapshot.regions[*place.region])) return false;
  const std::uint64_t next = first_word ^ (*object >> 12);
  return next == 0 || (next % 16 == 0 && place_of(f.snapshot, {next}).region == place.region);
}

bool is_small_number(const MemoryFault& m) {
  const auto width = m.width_bytes.value_or(1);
  const bool one_value = width == 2 || width == 4 || width == 8;
  if (!m.base || m.index_bytes != 0 || !one_value) return false;
  return m.base->value != 0 && m.base->value < near_null_bytes && m.base->value % width != 0;
}

std::optional<std::size_t> link_holder(const Facts& f) {
  const auto& pointers = f.snapshot.pointers;
  const auto found = std::ranges::find(pointers, "read from", &Pointer::role);
  if (found == pointers.end() || !found->block) return std::nullopt;
  return static_cast<std::size_t>(found - pointers.begin());
}

}  // namespace sigwhy::diagnose
