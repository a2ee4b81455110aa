#include "native/counted_index.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <span>

#include "native/reach.h"
#include "native/regions.h"

namespace sigwhy::native {

namespace {

constexpr std::int64_t least_number = 4096;
constexpr std::int64_t least_row_number = 1 << 20;
constexpr std::int64_t least_row_bytes = 64, most_row_bytes = 4096;
constexpr std::uint64_t far_bytes = 4ull << 30;
// Of many numbers (hashes, times) one fits by chance: the more there are, the less is tried with them.
constexpr std::size_t most_for_rows = 64, most_for_tables = 256, most_for_anywhere = 4;
// Elements, pairs and small structs: what an index without its base is tried with.
constexpr std::array<std::int64_t, 11> likely_bytes = {4, 8, 1, 2, 12, 16, 24, 32, 40, 48, 64};

bool is_memory_of_program(const Region* r) {
  return r && r->permissions.starts_with("rw") && (r->kind == RegionKind::heap || r->kind == RegionKind::anonymous);
}

std::uint64_t distance_to_nearest(const std::vector<Region>& regions, std::uint64_t a) {
  std::uint64_t least = ~std::uint64_t{0};
  for (const auto& r : regions) least = std::min(least, a < r.start.value ? r.start.value - a : a - std::min(a, r.end.value));
  return least;
}

std::optional<std::int64_t> element_of(std::span<const std::byte> bytes, std::uint64_t width, bool has_sign) {
  std::uint64_t raw = 0;
  if (width == 0 || width > 8 || bytes.size() < width) return std::nullopt;
  std::memcpy(&raw, bytes.data(), width);
  const unsigned unused = 64 - 8 * static_cast<unsigned>(width);
  const auto extended = static_cast<std::int64_t>(raw << unused) >> unused;
  return has_sign ? extended : static_cast<std::int64_t>(raw);
}

struct Number {
  std::uint64_t array = 0, element = 0;
  std::int64_t value = 0;
};

void add_numbers(const Target& target, const Array& a, std::uint64_t index, std::vector<Number>& out) {
  constexpr std::size_t most_numbers = 1024;
  const bool has_sign = a.dtype.starts_with("int");
  if ((!has_sign && !a.dtype.starts_with("uint")) || !a.data || a.item_bytes == 0) return;  // a damaged object says anything
  std::array<std::byte, counted_index_bytes> bytes;
  const auto wanted = std::min<std::uint64_t>(a.bytes, bytes.size());
  const auto got = target.memory->read(*a.data, std::span(bytes).first(wanted));
  for (std::uint64_t at = 0, i = 0; at + a.item_bytes <= got; at += a.item_bytes, ++i) {
    const auto value = element_of(std::span(bytes).subspan(at), a.item_bytes, has_sign);
    if (!value || *value == INT64_MIN || out.size() == most_numbers) continue;
    if (std::ranges::find(out, *value, &Number::value) == out.end()) out.push_back({index, i, *value});
  }
}

std::optional<std::uint64_t> counted_in(std::int64_t distance, std::int64_t number, bool may_be_rows) {
  if (distance % number != 0) return std::nullopt;
  const auto bytes = distance / number;
  const bool element = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
  const bool row = may_be_rows && std::abs(number) >= least_row_number && bytes > 0 && bytes <= most_row_bytes;
  return element || row ? std::optional(static_cast<std::uint64_t>(bytes)) : std::nullopt;
}

struct Search {
  const Target& target;
  const std::vector<Region>& regions;
  const std::vector<Array>& arrays;
  std::uint64_t address;
  std::int64_t inside;  // what the instruction itself adds belongs to the element
  bool may_be_rows;

  // A register still holds what it counts from.
  std::optional<CountedIndex> from_register(const Number& n) const {
    for (const auto& [name, base] : general_registers(target)) {
      if (!is_memory_of_program(region_at(regions, {base}))) continue;
      const auto distance = address - base;
      for (const auto left : {distance - static_cast<std::uint64_t>(inside), distance})
        if (const auto bytes = counted_in(static_cast<std::int64_t>(left), n.value, may_be_rows))
          return CountedIndex{n.array, n.element, n.value, *bytes, {base}, name, {}};
    }
    return std::nullopt;
  }

  // The element or row of a table that has none such. A row is copied from its start on, but pages of it may be there.
  std::optional<CountedIndex> from_table(const Number& n, std::uint64_t table) const {
    const Array& a = arrays[table];
    if (table == n.array || !a.data || !a.strides || a.strides->size() != a.shape.size()) return std::nullopt;
    for (std::size_t d = 0; d < a.shape.size(); ++d) {
      const auto stride = (*a.strides)[d];
      if (stride <= 0 || (0 <= n.value && n.value < a.shape[d])) continue;
      const auto start = a.data->value + static_cast<std::uint64_t>(n.value) * static_cast<std::uint64_t>(stride);
      const auto beyond = static_cast<std::int64_t>(address - start);
      const bool at_start = beyond == 0 || beyond == inside;
      if (at_start || (may_be_rows && stride >= least_row_bytes && 0 < beyond && beyond < stride))
        return CountedIndex{n.array, n.element, n.value, static_cast<std::uint64_t>(stride), *a.data, {}, table};
    }
    return std::nullopt;
  }

  std::optional<CountedIndex> from_tables(const Number& n) const {
    for (std::size_t i = 0; i < arrays.size(); ++i)
      if (auto found = from_table(n, i)) return found;
    return std::nullopt;
  }

  // What it counts from is gone, but lies in memory of the program; from far away few numbers lead there.
  std::optional<CountedIndex> from_anywhere(const Number& n) const {
    if (std::abs(n.value) < least_row_number || distance_to_nearest(regions, address) < far_bytes) return std::nullopt;
    for (const auto bytes : likely_bytes) {
      const auto from = address - static_cast<std::uint64_t>(n.value) * static_cast<std::uint64_t>(bytes);
      if (is_memory_of_program(region_at(regions, {from})))
        return CountedIndex{n.array, n.element, n.value, static_cast<std::uint64_t>(bytes), {from}, {}, {}};
    }
    return std::nullopt;
  }
};

}  // namespace

std::optional<CountedIndex> counted_index(const Target& target, const Fault& fault, const std::vector<Region>& regions,
                                          const std::vector<Array>& arrays) {
  const bool access = fault.address && fault.access && *fault.access != Access::execute;
  if (!access || region_at(regions, *fault.address)) return std::nullopt;
  std::vector<Number> numbers;
  for (std::size_t i = 0; i < arrays.size(); ++i) add_numbers(target, arrays[i], i, numbers);
  const auto* operand = fault.instruction && fault.operand && *fault.operand < fault.instruction->operands.size()
                            ? &fault.instruction->operands[*fault.operand]
                            : nullptr;
  Search search{target, regions, arrays, fault.address->value, operand ? operand->displacement : 0,
                numbers.size() <= most_for_tables};
  for (const auto& n : numbers)
    if (auto found = search.from_tables(n)) return found;
  std::erase_if(numbers, [](const Number& n) { return std::abs(n.value) < least_number; });
  search.may_be_rows = numbers.size() <= most_for_rows;
  for (const auto& n : numbers)
    if (auto found = search.from_register(n)) return found;
  if (numbers.size() > most_for_anywhere || !fault.address->canonical()) return std::nullopt;
  for (const auto& n : numbers)
    if (auto found = search.from_anywhere(n)) return found;
  return std::nullopt;
}

}  // namespace sigwhy::native
