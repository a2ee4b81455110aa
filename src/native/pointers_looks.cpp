#include "native/pointers_looks.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "native/heap_tcache.h"
#include "native/pointers_derived.h"
#include "native/texts_clean.h"

namespace sigwhy::native {

namespace {

constexpr std::size_t most_looks = 3;
constexpr std::uint64_t most_offset = 4096;
constexpr std::int32_t most_small_number = 65535;

struct Fill {
  std::uint8_t byte;
  const char* meaning;
};
constexpr Fill fills[] = {
    {0xdd, "Python's debug allocator fills freed memory so"},
    {0xdb, "older Python debug allocators fill freed memory so"},
    {0xcd, "Python's debug allocator fills new memory so"},
    {0xcb, "older Python debug allocators fill new memory so"},
    {0xfd, "Python's debug allocator fills the space around blocks so"},
    {0xfb, "older Python debug allocators fill the space around blocks so"},
    {0x5a, "jemalloc fills freed memory so"},
    {0xa5, "jemalloc fills new memory so"},
    {0xbe, "AddressSanitizer fills new memory so"},
    {0xfe, ""},
    {0xcc, ""},
    {0xaa, ""},
};

std::uint64_t repeated(std::uint8_t byte) { return 0x0101010101010101u * byte; }

std::optional<std::string> fill_pattern(std::uint64_t value) {
  for (const auto& fill : fills) {
    const auto offset = value - repeated(fill.byte);
    if (offset >= most_offset) continue;
    auto text = fmt::format("0x{:02x} in every byte", fill.byte);
    if (offset > 0) text += fmt::format(", plus {}", offset);
    return *fill.meaning ? text + fmt::format(" ({})", fill.meaning) : text;
  }
  const auto low = static_cast<std::uint8_t>(value);
  if (value == repeated(low) && low != 0 && low != 0xff && !is_printable(static_cast<char>(low)))
    return fmt::format("0x{:02x} in every byte", low);
  return std::nullopt;
}

std::optional<std::string> negative_number(std::uint64_t value) {
  const auto number = static_cast<std::int64_t>(value);
  if (number >= 0 || number < -most_small_number) return std::nullopt;
  return fmt::format("the number {}", number);
}

// Six or more characters, then nothing but zeroes.
std::optional<std::string> text_look(std::uint64_t value) {
  char bytes[8];
  std::memcpy(bytes, &value, sizeof bytes);
  const auto end = std::find_if_not(std::begin(bytes), std::end(bytes), [](char c) { return c >= 0x20 && c < 0x7f; });
  if (end - bytes < 6 || !std::all_of(end, std::end(bytes), [](char c) { return c == 0; })) return std::nullopt;
  return fmt::format("text: \"{}\"", std::string_view(bytes, static_cast<std::size_t>(end - bytes)));
}

template <class Number> bool is_plausible(Number number) {
  const auto magnitude = std::abs(number);
  return std::isfinite(number) && magnitude >= Number(1e-6) && magnitude <= Number(1e6);
}

std::optional<std::string> two_floats(std::uint64_t value) {
  const auto low = std::bit_cast<float>(static_cast<std::uint32_t>(value));
  const auto high = std::bit_cast<float>(static_cast<std::uint32_t>(value >> 32));
  if (!is_plausible(low) || !is_plausible(high)) return std::nullopt;
  return fmt::format("two floats: {:.6g}, {:.6g}", low, high);
}

// A double that a person would have written has few digits; any other is only one where it is not two floats.
std::optional<std::string> one_double(std::uint64_t value) {
  const auto number = std::bit_cast<double>(value);
  if (!is_plausible(number)) return std::nullopt;
  const auto text = fmt::format("{:.6g}", number);
  const bool is_short = std::stod(text) == number;
  if (!is_short && two_floats(value)) return std::nullopt;
  return fmt::format("a double: {}", text);
}

std::optional<std::string> two_numbers(std::uint64_t value) {
  const auto low = static_cast<std::int32_t>(value), high = static_cast<std::int32_t>(value >> 32);
  const auto is_small = [](std::int32_t n) { return n >= -most_small_number && n <= most_small_number; };
  // A zero or minus one above is only the sign of one small number.
  if (!is_small(low) || !is_small(high) || high == 0 || high == -1) return std::nullopt;
  return fmt::format("two 32-bit numbers: {}, {}", low, high);
}

}  // namespace

std::vector<std::string> plain_looks(std::uint64_t value) {
  std::vector<std::string> looks;
  const auto add = [&](std::optional<std::string> look) {
    if (look) looks.push_back(std::move(*look));
  };
  add(negative_number(value));
  add(fill_pattern(value));
  if (!looks.empty()) return looks;
  add(text_look(value));
  add(two_numbers(value));
  const bool double_first = static_cast<std::uint32_t>(value) == 0;
  if (double_first) add(one_double(value));
  add(two_floats(value));
  if (!double_first) add(one_double(value));
  return looks;
}

std::string with_looks(std::uint64_t value) {
  const auto looks = plain_looks(value);
  return looks.empty() ? fmt::format("{:#x}", value) : fmt::format("{:#x} ({})", value, looks.front());
}

std::vector<std::string> looks_like(std::uint64_t value, const Target& target, const std::vector<Region>& regions) {
  std::vector<std::string> looks;
  const auto add = [&](std::vector<std::string> more) { std::ranges::move(more, std::back_inserter(looks)); };
  // Of the addresses in libc's data one is where the heap ends, which every overrun of it meets.
  if (!Address{value}.canonical() && marks_cached_block(target, value)) return {std::string(freed_mark_look)};
  add(free_list_looks(value, target, regions));
  add(shifted_looks(value, regions));
  add(lower_half_looks(value, regions));
  if (looks.empty()) add(plain_looks(value));
  if (looks.empty()) add(bit_flip_looks(value, regions));
  if (looks.empty()) add(upper_half_looks(value, regions));
  if (looks.size() > most_looks) looks.resize(most_looks);
  return looks;
}

}  // namespace sigwhy::native
