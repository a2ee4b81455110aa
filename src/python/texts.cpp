#include "python/texts.h"

#include <algorithm>

namespace sigwhy::python {

namespace {

constexpr std::int64_t longest_text = std::int64_t{1} << 40;

// Writes one character; 0 where it does not fit.
std::size_t put_utf8(std::uint32_t c, std::span<char> into) {
  const auto byte = [](std::uint32_t bits) { return static_cast<char>(bits); };
  if (c < 0x80) {
    if (into.empty()) return 0;
    into[0] = byte(c);
    return 1;
  }
  const std::size_t size = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
  if (into.size() < size || c > 0x10ffff) return 0;
  for (std::size_t i = size; i-- > 1; c >>= 6) into[i] = byte(0x80 | (c & 0x3f));
  into[0] = byte((size == 2 ? 0xc0 : size == 3 ? 0xe0 : 0xf0) | c);
  return size;
}

struct State {
  bool ascii, compact;
  std::uint32_t bytes_a_character;
};

// From the lowest bit on: interned, bytes a character (3 bits), compact, ascii, and bits nobody cleared. "Interned"
// has two bits, in some releases of 3.14 sixteen, of which only the lowest are ever set; no string in use is without
// its "compact" bit, so the word itself tells.
State state_in(std::uint32_t word) {
  constexpr std::uint32_t compact = 1 << 5, interned = 3;
  if (!(word & compact) && (word & 0xffff & ~interned) == 0) word >>= 14;
  return {.ascii = (word & compact << 1) != 0, .compact = (word & compact) != 0, .bytes_a_character = word >> 2 & 7};
}

template <class Unit>
std::size_t convert(const Memory& memory, Address data, std::uint64_t length, std::span<char> into) {
  std::array<Unit, 64> units;
  std::size_t written = 0;
  for (std::uint64_t done = 0; done < length;) {
    const auto count = std::min<std::uint64_t>(units.size(), length - done);
    const auto bytes = std::as_writable_bytes(std::span(units).first(count));
    if (memory.read(data + done * sizeof(Unit), bytes) != bytes.size()) return written;
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto size = put_utf8(units[i], into.subspan(written));
      if (!size) return written;
      written += size;
    }
    done += count;
  }
  return written;
}

}  // namespace

std::optional<std::uint64_t> text_length(const Memory& memory, const Layout& layout, Address object) {
  const auto length = memory.read_value<std::int64_t>(object + layout.text.length);
  if (!length || *length < 0 || *length > longest_text) return std::nullopt;
  return static_cast<std::uint64_t>(*length);
}

namespace {

std::optional<std::size_t> read_from(const Memory& memory, const Layout& layout, Address object, std::uint64_t length,
                                     std::uint64_t skipped, std::span<char> into) {
  const auto plain = [&](Address data) -> std::optional<std::size_t> {
    const auto size = std::min<std::uint64_t>(length - skipped, into.size());
    const auto got = memory.read(data + skipped, std::as_writable_bytes(into.first(size)));
    return got ? std::optional(got) : std::nullopt;
  };
  if (!layout.text.state) return plain(object + layout.text.ascii_data);
  const auto word = memory.read_value<std::uint32_t>(object + *layout.text.state);
  if (!word) return std::nullopt;
  const auto state = state_in(*word);
  if (!state.compact) return std::nullopt;
  if (state.ascii) return plain(object + layout.text.ascii_data);
  const Address data = object + layout.text.compact_data;
  switch (state.bytes_a_character) {
    case 1: return convert<std::uint8_t>(memory, data + skipped, length - skipped, into);
    case 2: return convert<std::uint16_t>(memory, data + skipped * 2, length - skipped, into);
    case 4: return convert<std::uint32_t>(memory, data + skipped * 4, length - skipped, into);
    default: return std::nullopt;
  }
}

}  // namespace

std::optional<std::size_t> read_text(const Memory& memory, const Layout& layout, Address object,
                                     std::span<char> into) {
  const auto length = text_length(memory, layout, object);
  if (!length) return std::nullopt;
  return *length == 0 ? 0 : read_from(memory, layout, object, *length, 0, into);
}

std::optional<std::size_t> read_wide_text(const Memory& memory, Address object, std::span<char> into) {
  const auto length = memory.read_value<std::int64_t>(object + 16);
  const auto data = memory.read_value<std::uint64_t>(object + 24);
  if (!length || !data || *length < 0 || *length > longest_text) return std::nullopt;
  const auto first = memory.read_value<std::uint32_t>(Address{*data});
  if (!first) return std::nullopt;
  const auto characters = static_cast<std::uint64_t>(*length);
  return *first > 0x10ffff ? convert<std::uint16_t>(memory, Address{*data}, characters, into)
                           : convert<std::uint32_t>(memory, Address{*data}, characters, into);
}

std::optional<std::size_t> read_text_end(const Memory& memory, const Layout& layout, Address object,
                                         std::span<char> into) {
  constexpr std::uint64_t widest_character = 4;
  const auto length = text_length(memory, layout, object);
  const auto kept = into.size() / widest_character;
  if (!length || *length < kept) return std::nullopt;
  return read_from(memory, layout, object, *length, *length - kept, into);
}

}  // namespace sigwhy::python
