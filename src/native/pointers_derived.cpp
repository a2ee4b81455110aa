#include "native/pointers_derived.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

#include "native/reach.h"
#include "native/regions.h"

namespace sigwhy::native {

namespace {

constexpr std::uint64_t near_bytes = 16u << 20;
constexpr std::uint64_t page_shift = 12;
// 16 registers times this many bytes out of 2^36 decodable ones: one chance hit in a thousand, alignment included.
constexpr std::uint64_t most_heap_by_registers = 64u << 20;
// Every page of a heap this large as the link's own address: about as rare.
constexpr std::uint64_t most_heap_by_pages = 2u << 20;
// One in 32 of what 32 bits can say, and only the aligned ones.
constexpr std::uint64_t most_by_half = 128u << 20;
// Above this the upper half may be that of another address.
constexpr std::int32_t most_half_number = 4096;

bool is_near_any(const std::vector<Region>& regions, std::uint64_t value) {
  const auto above = std::ranges::upper_bound(regions, Address{value}, {}, &Region::start);
  if (above != regions.end() && above->start.value - value <= near_bytes) return true;
  return above != regions.begin() && value - std::prev(above)->end.value <= near_bytes;
}

bool is_heap_or_stack(const Region& region) {
  return region.kind == RegionKind::heap || region.kind == RegionKind::stack || region.kind == RegionKind::thread_stack;
}

// Where pointers that were cut in half may have led: not into the gigabytes of libraries and arrays.
bool is_half_target(const Region& region) {
  return is_heap_or_stack(region) ||
         (region.kind == RegionKind::anonymous && region.end.value - region.start.value <= near_bytes);
}

std::string name_of(const Region& region) {
  switch (region.kind) {
    case RegionKind::heap: return "the heap";
    case RegionKind::stack: return "the stack";
    case RegionKind::thread_stack: return "a thread's stack";
    case RegionKind::file: return region.path.substr(region.path.rfind('/') + 1);
    default: return "mapped memory";
  }
}

bool links_into(const Region& heap, std::uint64_t value, std::uint64_t page) {
  const Address next{value ^ page};
  return next.value % 16 == 0 && heap.start <= next && next < heap.end;
}

bool is_link(const Region& heap, std::uint64_t value, const Target& target) {
  const std::uint64_t bytes = heap.end.value - heap.start.value;
  const auto first = heap.start.value >> page_shift, last = (heap.end.value - 1) >> page_shift;
  if (bytes <= most_heap_by_registers)
    for (const auto& [name, own] : general_registers(target))
      if (heap.start.value <= own && own < heap.end.value && links_into(heap, value, own >> page_shift)) return true;
  if (bytes <= most_heap_by_pages)
    for (auto page = first; page <= last; ++page)
      if (links_into(heap, value, page)) return true;
  return false;
}

// A half that was written over holds something of its own: a small number or a float. A third of all numbers are floats
// of a sensible size; one with few digits is seldom chance.
std::optional<std::string> half_content(std::uint32_t half) {
  const auto number = static_cast<std::int32_t>(half);
  if (number > -most_half_number && number < most_half_number) return fmt::format("{}", number);
  const auto real = std::bit_cast<float>(half);
  const auto magnitude = std::abs(real);
  if (!std::isfinite(real) || magnitude < 1e-6f || magnitude > 1e6f) return std::nullopt;
  const auto text = fmt::format("{:.4g}", real);
  return std::stof(text) == real ? std::optional("the float " + text) : std::nullopt;
}

std::optional<std::string> upper_half_lost(std::uint64_t value, const Region& region) {
  const std::uint64_t high = region.start.value >> 32;
  const auto low = static_cast<std::uint32_t>(value), upper = static_cast<std::uint32_t>(value >> 32);
  const Address whole{high << 32 | low};
  if (high == 0 || upper == high || whole < region.start || whole >= region.end) return std::nullopt;
  if (upper == 0) return fmt::format("the lower 32 bits of an address in {}", name_of(region));
  if (upper == 0xffffffff && low >> 31)
    return fmt::format("the lower 32 bits of an address in {}, sign-extended", name_of(region));
  const auto content = half_content(upper);
  if (!content) return std::nullopt;
  return fmt::format("an address in {} whose upper half was overwritten with {}", name_of(region), *content);
}

std::optional<std::string> lower_half_lost(std::uint64_t value, const Region& region) {
  if (value >> 32 != region.start.value >> 32 || value >> 32 == 0) return std::nullopt;
  const auto content = half_content(static_cast<std::uint32_t>(value));
  if (!content) return std::nullopt;
  return fmt::format("an address in {} whose lower half was overwritten with {}", name_of(region), *content);
}

}  // namespace

std::vector<std::string> free_list_looks(std::uint64_t value, const Target& target,
                                         const std::vector<Region>& regions) {
  for (const auto& heap : regions) {
    if (heap.kind != RegionKind::heap) continue;
    if (heap.start.value >> page_shift <= value && value <= (heap.end.value - 1) >> page_shift)
      return {"the end mark of glibc's list of freed blocks (a heap page's number)"};
    if (is_link(heap, value, target)) return {"glibc's encoded link from one freed block to the next"};
  }
  return {};
}

std::vector<std::string> shifted_looks(std::uint64_t value, const std::vector<Region>& regions) {
  const auto sensible = [&](std::uint64_t pointer) -> const Region* {
    const Region* region = pointer % 8 == 0 && pointer >> 47 == 0 ? region_at(regions, {pointer}) : nullptr;
    return region && region->kind != RegionKind::guard ? region : nullptr;
  };
  for (const unsigned bytes : {1u, 2u}) {
    const auto pointer = (value >> (8 * bytes)) & ((std::uint64_t{1} << 48) - 1);
    const bool rest_is_zero = bytes == 2 || value >> 56 == 0;
    const Region* region = rest_is_zero ? sensible(pointer) : nullptr;
    if (region)
      return {fmt::format("an address in {}, shifted by {} byte{}", name_of(*region), bytes, bytes > 1 ? "s" : "")};
  }
  return {};
}

std::vector<std::string> upper_half_looks(std::uint64_t value, const std::vector<Region>& regions) {
  std::uint64_t total = 0;
  for (const auto& region : regions)
    if (is_half_target(region)) total += region.end.value - region.start.value;
  if (total > most_by_half || value % 8 != 0 || is_near_any(regions, value)) return {};
  for (const auto& region : regions)
    if (is_half_target(region))
      if (const auto look = upper_half_lost(value, region)) return {*look};
  return {};
}

std::vector<std::string> lower_half_looks(std::uint64_t value, const std::vector<Region>& regions) {
  if (is_near_any(regions, value)) return {};
  for (const auto& region : regions)
    if (is_heap_or_stack(region))
      if (const auto look = lower_half_lost(value, region)) return {*look};
  return {};
}

std::vector<std::string> bit_flip_looks(std::uint64_t value, const std::vector<Region>& regions) {
  if (is_near_any(regions, value)) return {};
  std::vector<std::string> looks;
  for (unsigned bit = 0; bit < 63; ++bit) {
    const std::uint64_t other = value ^ std::uint64_t{1} << bit;
    const Region* region = other >> 47 == 0 ? region_at(regions, {other}) : nullptr;
    if (!region || !(is_heap_or_stack(*region) || region->kind == RegionKind::file)) continue;
    looks.push_back(fmt::format("one bit (bit {}) away from an address in {}", bit, name_of(*region)));
  }
  return looks.size() == 1 ? looks : std::vector<std::string>{};
}

}  // namespace sigwhy::native
