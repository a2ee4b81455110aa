#include "diagnose/bounds.h"

#include <signal.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "diagnose/named_index.h"
#include "diagnose/value_shapes.h"

namespace sigwhy::diagnose {

namespace {

constexpr std::uint64_t least_own_mapping = 128u << 10;
constexpr std::uint64_t largest_hole = 64ull << 30;
constexpr std::uint64_t largest_length = 1ull << 47;  // no process has more address space

std::uint64_t width(const MemoryFault& m) { return std::max<std::uint64_t>(m.width_bytes.value_or(1), 1); }

bool may(const MemoryFault& m, const Region& r) { return m.writes() ? is_writable(r) : is_readable(r); }

// Readable memory without a file, and not writable: mprotect() made it so.
bool is_protected(const Region& r) {
  return (r.kind == RegionKind::heap || r.kind == RegionKind::anonymous) && is_readable(r) && !is_writable(r) && !is_executable(r);
}

LeftBounds outside(const Facts& f, LeftBy by, std::size_t region, Strength strength) {
  const Region& r = f.snapshot.regions[region];
  const Address at = f.memory->address;
  const bool before = at < r.start;
  const std::uint64_t bytes = before ? r.start.value - at.value : at.value - r.end.value;
  return {.by = by, .region = region, .bytes = bytes, .before = before, .strength = strength};
}

bool is_in(const Region& r, Address a) { return r.start <= a && a < r.end; }

// The pointer is still in its register and points to something real; what was added to it leads out.
std::optional<LeftBounds> by_index(const Facts& f, const MemoryFault& m) {
  if (!m.base || !m.base->place.region) return std::nullopt;
  const std::size_t region = *m.base->place.region;
  const Region& r = f.snapshot.regions[region];
  if (!is_data(r) || is_in(r, m.address)) return std::nullopt;
  const bool indexed = m.index_bytes != 0 || (m.operand->index && !m.operand->index_value);
  const bool small_step = m.index_bytes > 0 && static_cast<std::uint64_t>(m.index_bytes) < page_bytes;
  if (indexed && small_step && m.address >= r.end) return outside(f, LeftBy::offset, region, Strength::strong);
  if (indexed) return outside(f, LeftBy::index, region, Strength::strong);
  if (m.operand->displacement > 0 || m.address == r.end) return outside(f, LeftBy::offset, region, Strength::strong);
  return std::nullopt;
}

constexpr std::array registers = {"rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp", "r8",
                                  "r9",  "r10", "r11", "r12", "r13", "r14", "r15"};

// How many bytes an index counts in: any size of a small element, and of a row of them where the index is so large that
// no other number divides the distance by chance.
constexpr std::int64_t most_row_bytes = 4096;
constexpr std::int64_t least_index = page_bytes / 8, least_row_index = 1 << 20;

bool counts_to(std::int64_t index, std::int64_t distance) {
  if (index == INT64_MIN || std::abs(index) < least_index || distance % index != 0) return false;
  const auto bytes = distance / index;
  if (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8) return true;
  return std::abs(index) >= least_row_index && bytes > 0 && bytes <= most_row_bytes;
}

// Fortran's arrays begin at 1, and so do the indices of LAPACK.
bool counts_from_one(std::int64_t index, std::int64_t distance) {
  return index > least_row_index && (distance == (index - 1) * 4 || distance == (index - 1) * 8);
}

// FlatBuffers goes so from a table to its description.
bool is_subtracted(const Facts& f, std::int64_t number, std::int64_t distance) {
  return number >= least_row_index && distance == -number && !place_of(f.snapshot, {static_cast<std::uint64_t>(number)}).region;
}

// The sum was made earlier and only the address is left, but its parts are still in registers: one points to
// something real, another holds exactly the distance, in bytes, elements or rows. What the instruction itself adds
// belongs to the element.
std::optional<LeftBounds> by_sum(const Facts& f, const MemoryFault& m) {
  const auto inside = static_cast<std::uint64_t>(m.operand && !m.index ? m.operand->displacement : 0);
  for (const std::string_view base : registers) {
    const auto pointer = register_value(f, base);
    if (!pointer) continue;
    const auto place = place_of(f.snapshot, {*pointer});
    const std::uint64_t distance = m.address.value - *pointer;
    const bool far = distance >= page_bytes && distance <= 0 - page_bytes;
    if (!place.region || place.region == m.place.region || !far) continue;
    if (!is_data(f.snapshot.regions[*place.region])) continue;
    for (const std::string_view step : registers) {
      const auto value = static_cast<std::int64_t>(register_value(f, step).value_or(0));
      const auto counts = [&](std::uint64_t bytes) { return counts_to(value, static_cast<std::int64_t>(bytes)); };
      const bool from_one = counts_from_one(value, static_cast<std::int64_t>(distance));
      const bool subtracted = is_subtracted(f, value, static_cast<std::int64_t>(distance));
      if (!counts(distance) && !counts(distance - inside) && !from_one && !subtracted) continue;
      LeftBounds left = outside(f, LeftBy::sum, *place.region, Strength::strong);
      left.base_name = base;
      left.step_name = step;
      left.from_one = from_one;
      left.step_bytes = static_cast<std::int64_t>(distance);
      return left;
    }
  }
  return std::nullopt;
}

// The index still stands in an array that a name leads to.
std::optional<LeftBounds> by_counted(const Facts& f, const MemoryFault&) {
  const auto& index = f.snapshot.fault->index;
  if (!index || index->array >= f.arrays.size()) return std::nullopt;
  const auto from = place_of(f.snapshot, index->from);
  if (!from.region) return std::nullopt;
  return outside(f, LeftBy::counted, *from.region, index->base || index->rows_of ? Strength::strong : Strength::plausible);
}

// The index is gone, but the code says what it was added to.
std::optional<LeftBounds> by_summed(const Facts& f, const MemoryFault& m) {
  const auto& summed = f.snapshot.fault->summed;
  const auto from = summed ? place_of(f.snapshot, summed->value) : Place{};
  if (!from.region || from.region == m.place.region || !is_data(f.snapshot.regions[*from.region])) return std::nullopt;
  LeftBounds left = outside(f, LeftBy::summed, *from.region, Strength::strong);
  left.base_name = summed->name;
  left.step_bytes = m.address - summed->value;
  return left;
}

// A small number instead of a pointer, and just such a one as malloc keeps in front of each block: its size, a multiple of
// 16, with the lowest bit set. It was read there, right behind the block before or right before the own one.
std::optional<LeftBounds> by_block_size(const Facts& f, const MemoryFault& m) {
  constexpr std::uint64_t least_size = 0x20, most_size = 0x1000;
  if (!m.base || m.index_bytes != 0 || m.width_bytes.value_or(0) != 8 || f.named_pointer) return std::nullopt;
  const auto number = m.base->value;
  const auto heap = std::ranges::find(f.snapshot.regions, RegionKind::heap, &Region::kind);
  if (number % 16 != 1 || number < least_size || number > most_size || heap == f.snapshot.regions.end()) return std::nullopt;
  return LeftBounds{.by = LeftBy::block_size, .region = static_cast<std::size_t>(heap - f.snapshot.regions.begin()), .strength = Strength::plausible};
}

std::optional<LeftBounds> by_named(const Facts& f, const MemoryFault&) {
  const auto index = named_index(f);
  return index ? std::optional(outside(f, LeftBy::named, index->region, Strength::strong)) : std::nullopt;
}

// An index of 0: the walk has not begun, the memory itself is not there.
bool is_first_element(const MemoryFault& m) {
  return m.operand && m.operand->index && m.operand->index_value == Address{0} && m.operand->scale > 1;
}

// Where the memory below ends: at the address itself, or at a forbidden region that the access has entered.
struct End {
  std::size_t region = 0;
  std::uint64_t behind = 0;
  bool forbidden = false;
};

std::optional<End> end_below(const Facts& f, const MemoryFault& m) {
  if (!m.place.region) {
    if (!m.place.lower) return std::nullopt;
    return End{*m.place.lower, m.place.behind_bytes, false};
  }
  const Region& forbidden = f.snapshot.regions[*m.place.region];
  const auto below = touching_below(f.snapshot, *m.place.region);
  if (!below || may(m, forbidden)) return std::nullopt;
  return End{*below, static_cast<std::uint64_t>(m.address - forbidden.start), true};
}

std::optional<LeftBounds> over_end(const Facts& f, const MemoryFault& m) {
  const auto end = end_below(f, m);
  if (!end) return std::nullopt;
  const Region& r = f.snapshot.regions[end->region];
  if (!is_data(r) || !may(m, r) || is_first_element(m)) return std::nullopt;
  // Nothing walks off the top of a thread's stack; what lay above it is gone.
  if (r.kind == RegionKind::thread_stack && !(m.base && m.base->place.region == end->region)) return std::nullopt;
  const auto strength = end->forbidden && is_meant(f) ? Strength::plausible : Strength::strong;
  if (end->behind < width(m)) return outside(f, LeftBy::end, end->region, strength);
  const bool reserve = end->forbidden && r.kind == RegionKind::heap && is_closed(f.snapshot.regions[*m.place.region]);
  if (reserve) return outside(f, LeftBy::reserve, end->region, Strength::plausible);
  if (end->behind < page_bytes) return outside(f, LeftBy::first_page, end->region, Strength::plausible);
  return std::nullopt;
}

std::optional<LeftBounds> before_start(const Facts& f, const MemoryFault& m) {
  if (m.place.region || !m.place.upper || m.place.before_bytes >= page_bytes) return std::nullopt;
  const Region& r = f.snapshot.regions[*m.place.upper];
  if (!is_data(r) || !may(m, r)) return std::nullopt;
  if (m.place.before_bytes <= width(m)) return outside(f, LeftBy::start, *m.place.upper, Strength::strong);
  // A walk downwards in steps that are larger than what they touch. Code and constants are not walked over.
  return is_writable(r) ? std::optional(outside(f, LeftBy::first_page, *m.place.upper, Strength::plausible)) : std::nullopt;
}

// Numbers, text, floats and halves of pointers, taken for a pointer, do not come out among the mappings of a process:
// those lie in a few strips of the upper address space. An address up here, between 64 GiB and 8 TiB from the next
// mapping, is the sum of a real pointer and a number that was no index. Closer by it may as well be memory that was
// given back; not so below the first mapping of all, the program itself, where there never was any, nor behind the heap,
// which shrinks by less than it ever held.
constexpr std::uint64_t above_numbers = 1ull << 44;
constexpr std::uint64_t furthest_sum = 8ull << 40;
constexpr std::uint64_t least_heap_shrinks = 1ull << 30, heap_shrinks = 4ull << 30;

std::uint64_t most_heap_shrinks(const Facts& f) {
  if (!f.snapshot.process.resident_bytes) return heap_shrinks;
  std::uint64_t most = *f.snapshot.process.resident_bytes;
  if (f.snapshot.timeline)
    for (const auto& process : f.snapshot.timeline->processes)
      for (const auto bytes : process.anonymous_bytes) most = std::max(most, bytes);
  return std::max(least_heap_shrinks, 2 * most);
}

bool is_below_all(const Place& p) {
  return !p.lower && p.upper && p.before_bytes >= page_bytes && p.before_bytes <= largest_hole;
}

std::optional<std::size_t> summed_from(const Facts& f, const Place& p) {
  if (is_below_all(p)) return p.upper;
  const auto within = [](std::uint64_t bytes, std::uint64_t least) { return bytes > least && bytes <= furthest_sum; };
  const bool heap_below = p.lower && f.snapshot.regions[*p.lower].kind == RegionKind::heap;
  const bool free_above = !p.upper || p.before_bytes > largest_hole;
  if (p.lower && free_above && within(p.behind_bytes, heap_below ? most_heap_shrinks(f) : largest_hole)) return p.lower;
  const bool free_below = !p.lower || p.behind_bytes > largest_hole;
  if (p.upper && free_below && within(p.before_bytes, largest_hole)) return p.upper;
  return std::nullopt;
}

// A pointer that lost or gained a bit is no sum. Near mappings one of the lower bits leads there by chance.
bool is_one_bit_off(const Facts& f, Address at) {
  constexpr int least_telling_bit = 36;
  for (int bit = least_telling_bit; bit < 47; ++bit)
    if (place_of(f.snapshot, {at.value ^ (1ull << bit)}).region) return true;
  return false;
}

bool is_number(const ValueShape& s) { return s.shape != Shape::one_bit_off; }

std::optional<LeftBounds> by_distance(const Facts& f, const MemoryFault& m) {
  if (m.place.region || m.address.value < above_numbers || !m.address.canonical()) return std::nullopt;
  if (f.named_pointer || is_one_bit_off(f, m.address)) return std::nullopt;
  if (std::ranges::any_of(shapes_of(f, suspect_value(m)), is_number)) return std::nullopt;
  const auto region = summed_from(f, m.place);
  return region ? std::optional(outside(f, LeftBy::distance, *region, Strength::plausible)) : std::nullopt;
}

// What a processor makes of a float that no 32-bit integer can hold (inf, NaN, too large) is the smallest one: as an index
// it leads exactly 2^31 elements down. As a coordinate it may count twice, once for the row and once for the column. Far
// from all mappings only, where no memory can have been given back.
constexpr std::uint64_t extreme_index = 1ull << 31, least_emptiness = 1ull << 30;

std::optional<LeftBounds> by_extreme(const Facts& f, const MemoryFault& m) {
  const Place& p = m.place;
  const bool alone = !p.region && p.upper && p.before_bytes > least_emptiness && (!p.lower || p.behind_bytes > least_emptiness);
  if (!alone || f.named_pointer || m.address.value < above_numbers || !m.address.canonical()) return std::nullopt;
  if (std::ranges::any_of(shapes_of(f, suspect_value(m)), is_number)) return std::nullopt;
  for (const std::uint64_t bytes : {4, 8, 2, 1}) {
    if (width(m) % bytes != 0) continue;
    for (const std::uint64_t times : {1, 2}) {
      const auto from = place_of(f.snapshot, {m.address.value + times * extreme_index * bytes});
      if (!from.region || !is_data(f.snapshot.regions[*from.region]) || !may(m, f.snapshot.regions[*from.region])) continue;
      LeftBounds left = outside(f, LeftBy::extreme, *from.region, Strength::plausible);
      left.element_bytes = bytes;
      return left;
    }
  }
  return std::nullopt;
}

bool copies_memory(const Facts& f) {
  return f.frames[0].role == Role::bulk_copy && f.frames[0].function.find("mem") != std::string::npos;
}

// A C library without names: the copy is known by the registers it works on.
bool may_copy_memory(const Facts& f) {
  if (f.frames[0].family != Family::libc || !f.frames[0].function.empty() || !f.memory->base) return false;
  const auto& base = f.memory->base->name;
  return base == "rsi" || base == "rdi" || base == "rcx" || base == "rdx";
}

std::optional<LeftBounds> by_length(const Facts& f, const MemoryFault& m) {
  if (!impossible_length(f)) return std::nullopt;
  LeftBounds left{.by = LeftBy::length, .strength = copies_memory(f) ? Strength::strong : Strength::plausible};
  if (m.place.lower) left.region = *m.place.lower;
  return left;
}

}  // namespace

bool is_meant(const Facts& f) {
  const Region* at = f.memory ? region_at(f, f.memory->place) : nullptr;
  if (!at || !is_readable(*at)) return false;
  const auto below = touching_below(f.snapshot, *f.memory->place.region);
  const auto in = [&](std::optional<std::size_t> region, std::string_view name) {
    const auto value = register_value(f, name);
    return value && place_of(f.snapshot, {*value}).region == region;
  };
  const auto there = std::ranges::count_if(registers, [&](std::string_view name) { return in(f.memory->place.region, name); });
  const bool walked = std::ranges::any_of(registers, [&](std::string_view name) { return in(below, name); });
  if (is_protected(*at)) return !walked;
  const bool of_module = std::ranges::find(f.snapshot.modules, at->path, &Module::path) != f.snapshot.modules.end();
  return at->kind == RegionKind::file && !of_module && there > 1 && !walked;
}

std::optional<Length> impossible_length(const Facts& f) {
  if (!f.memory || f.frames.empty() || !(copies_memory(f) || may_copy_memory(f))) return std::nullopt;
  const bool repeats = f.instruction && f.instruction->text.starts_with("rep");
  const std::string_view name = repeats ? "rcx" : "rdx";
  const auto value = register_value(f, name);
  if (!value || *value < largest_length) return std::nullopt;
  return Length{name, *value};
}

std::optional<LeftBounds> left_bounds(const Facts& f) {
  if (!f.memory || f.stack_end || (f.signal != SIGSEGV && f.code != si_kernel)) return std::nullopt;
  const MemoryFault& m = *f.memory;
  if (const auto left = by_block_size(f, m)) return left;
  if (near_null(m.address.value) || unmapped_block_start(f)) return std::nullopt;
  // An element that the array has, in memory that is there: it may not be touched.
  const auto& array = f.array_access;
  if (array && array->tie == Tie::element && !array->promised && !array->cut && m.place.region) return std::nullopt;
  for (const auto way : {by_index, by_length, by_counted, by_named, by_sum, by_summed, over_end, before_start, by_extreme, by_distance})
    if (const auto left = way(f, m)) return left;
  return std::nullopt;
}

// Where the bytes of a bytes object begin behind its head, and those of a str since 3.12 (before, they do at 0x40 too).
static bool is_python_object(std::uint64_t in_page) { return in_page == 0x30 || in_page == 0x38; }

std::optional<Address> unmapped_block_start(const Facts& f) {
  if (!f.memory || f.memory->place.region || !f.memory->place.upper) return std::nullopt;
  const MemoryFault& m = *f.memory;
  const Address start{m.base ? m.base->value : m.address.value};
  const auto place = place_of(f.snapshot, start);
  const std::uint64_t in_page = start.value % page_bytes;
  // Below everything, where the null pointers point, there never was a block.
  // Nor in the upper half of all addresses, which is the kernel's.
  if (near_null(start.value) || !place.lower || start.value >= 1ull << 47) return std::nullopt;
  if (place.region || place.upper != m.place.upper || m.address < start) return std::nullopt;
  if (in_page != 0x10 && in_page != 0x20 && in_page != 0x40 && !is_python_object(in_page)) return std::nullopt;
  const bool large = place.before_bytes + in_page >= least_own_mapping && place.before_bytes < largest_hole;
  return large ? std::optional(start) : std::nullopt;
}

}  // namespace sigwhy::diagnose
