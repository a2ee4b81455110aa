#include "native/exceptions_what.h"

#include <algorithm>
#include <array>

#include "native/texts_clean.h"

namespace sigwhy::native {

namespace {

constexpr std::uint64_t most_text_bytes = 4096;
constexpr std::uint64_t most_capacity = 1u << 30;
constexpr std::int32_t most_references = 4096;

std::optional<std::string> text_of_length(const Memory& memory, Address at, std::uint64_t length) {
  const auto shown = std::min(length, most_text_bytes);
  std::string text(shown + 1, '\0');
  if (memory.read(at, std::as_writable_bytes(std::span(text))) != text.size()) return std::nullopt;
  if (length == shown && text.back() != '\0') return std::nullopt;
  text.pop_back();
  if (text.empty() || !is_plain_text(text)) return std::nullopt;
  return text;
}

// The string of std::logic_error and std::runtime_error, and every std::string of a library built for the old ABI: a
// pointer to the characters, { length, capacity, further references } in front of them.
std::optional<std::string> counted_string(const Memory& memory, Address at) {
  const auto text = memory.read_value<std::uint64_t>(at);
  if (!text) return std::nullopt;
  const auto sizes = memory.read_value<std::array<std::uint64_t, 2>>(Address{*text} - 24);
  const auto references = memory.read_value<std::int32_t>(Address{*text} - 8);
  if (!sizes || !references || *references < -1 || *references > most_references) return std::nullopt;
  if ((*sizes)[0] > (*sizes)[1] || (*sizes)[1] > most_capacity) return std::nullopt;
  return text_of_length(memory, {*text}, (*sizes)[0]);
}

// std::string: { pointer, length, capacity or fifteen characters in place }.
std::optional<std::string> string_at(const Memory& memory, Address at) {
  const auto words = memory.read_value<std::array<std::uint64_t, 3>>(at);
  if (!words) return std::nullopt;
  const auto [text, length, capacity] = *words;
  const bool in_place = text == at.value + 16;
  if (length == 0 || length > (in_place ? 15 : capacity) || (!in_place && capacity > most_capacity))
    return std::nullopt;
  return text_of_length(memory, {text}, length);
}

// A class of somebody else's making that derives from std::exception and holds a std::string: that is its text.
std::optional<std::string> first_string(const Memory& memory, Address object) {
  for (std::uint64_t offset = 8; offset <= 40; offset += 8) {
    if (auto text = string_at(memory, object + offset)) return text;
    if (auto text = counted_string(memory, object + offset)) return text;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> what_of(const Memory& memory, const TypeInfo& type, Address object) {
  if (type.is_or_starts_with("St11logic_error") || type.is_or_starts_with("St13runtime_error"))
    return counted_string(memory, object + 8);
  if (type.mangled == "NSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE") return string_at(memory, object);
  if (type.mangled == "PKc" || type.mangled == "Pc") {
    const auto text = memory.read_value<std::uint64_t>(object);
    auto words = text ? memory.read_string({*text}) : std::nullopt;
    return words && !words->empty() && is_plain_text(*words) ? words : std::nullopt;
  }
  const bool library_class = type.mangled.starts_with("St") || type.mangled.starts_with("NSt");
  if (!library_class && type.derives_from("St9exception")) return first_string(memory, object);
  return std::nullopt;
}

}  // namespace sigwhy::native
