// Reading CPython's strings through memory, without allocating. Python keeps a string in one, two or four bytes a
// character, as its widest character needs; 2.7's plain strings are bytes.
#pragma once
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "python/layout.h"
#include "target/memory.h"

namespace sigwhy::python {

// The beginning of a string, as UTF-8, cut at a character where it does not fit.
template <std::size_t room>
struct TextBuffer {
  std::array<char, room> bytes;
  std::size_t size = 0;
  std::string_view view() const { return {bytes.data(), size}; }
};
using Text = TextBuffer<512>;

// How many characters; nothing where there is no string.
std::optional<std::uint64_t> text_length(const Memory& memory, const Layout& layout, Address object);

// Fills `into` and returns how many bytes were written; 0 for the empty string too.
std::optional<std::size_t> read_text(const Memory& memory, const Layout& layout, Address object,
                                     std::span<char> into);

// The end of a string that is longer than `into`; at most so many characters as fit in any case.
std::optional<std::size_t> read_text_end(const Memory& memory, const Layout& layout, Address object,
                                         std::span<char> into);

// One of 2.7's unicode strings, which lie outside of their object in four bytes a character (two in narrow builds, where
// two characters read as one that does not exist).
std::optional<std::size_t> read_wide_text(const Memory& memory, Address object, std::span<char> into);

template <std::size_t room>
bool read_text(const Memory& memory, const Layout& layout, Address object, TextBuffer<room>& into) {
  const auto size = read_text(memory, layout, object, std::span<char>(into.bytes));
  into.size = size.value_or(0);
  return size.has_value();
}

}  // namespace sigwhy::python
