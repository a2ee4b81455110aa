// Reads a tensor layout from its text. Allocates nothing, so that the shipped ones are read by the compiler: a
// mistake in a file of layouts/ does not build. The cache is the user's and may hold anything: all or nothing.
#pragma once
#include "python/tensors/identity.h"
#include "python/tensors/tensor_layout.h"

namespace sigwhy::python {

namespace layout_text {

// The words of one line, one after the other.
struct Words {
  std::string_view rest;

  constexpr std::string_view next() {
    while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
    const auto word = rest.substr(0, rest.find(' '));
    rest.remove_prefix(word.size());
    return word;
  }
};

constexpr std::optional<std::uint16_t> number(std::string_view text) {
  std::uint32_t value = 0;
  if (text.empty() || text.size() > 5) return std::nullopt;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + static_cast<std::uint32_t>(c - '0');
  }
  return value <= 0xffff ? std::optional(static_cast<std::uint16_t>(value)) : std::nullopt;
}

constexpr bool path(std::string_view text, TensorPath& into) {
  into = {};
  for (;;) {
    const auto end = text.find('>');
    const auto offset = number(text.substr(0, end));
    if (!offset || !into.add(*offset)) return false;
    if (end == text.npos) return true;
    text.remove_prefix(end + 1);
  }
}

constexpr bool place(Words& words, TensorPath& into) { return words.next() == "at" && path(words.next(), into); }

constexpr bool field(Words& words, TensorField& into) {
  const auto width = words.next();
  into.width_bytes = width == "u8" ? 1 : width == "u16" ? 2 : width == "u32" ? 4 : width == "u64" ? 8 : 0;
  return into.width_bytes != 0 && path(words.next(), into.path);
}

constexpr bool ranks(std::string_view text, TensorExtents& into) {
  const auto dots = text.find("..");
  if (dots == text.npos) return false;
  const auto low = number(text.substr(0, dots)), high = number(text.substr(dots + 2));
  if (!low || !high || *low > *high) return false;
  into.lowest_rank = *low;
  into.highest_rank = *high;
  return true;
}

constexpr bool extents(Words& words, ShortList<TensorExtents, 6>& into) {
  TensorExtents one;
  if (!field(words, one.field) || words.next() != "rank" || !ranks(words.next(), one)) return false;
  for (auto word = words.next(); !word.empty(); word = words.next()) {
    if (word == "behind") {
      one.behind_dims = true;
      continue;
    }
    const auto tag = word == "tag" ? number(words.next()) : std::nullopt;
    if (!tag || *tag > 0xff) return false;
    one.tag = static_cast<std::uint8_t>(*tag);
  }
  return into.add(one);
}

template <std::size_t most>
constexpr bool name(Words& words, bool with_bytes, ShortList<NumberedName, most>& into) {
  NumberedName one;
  const auto code = number(words.next());
  for (const char c : words.next())
    if (!one.text.add(c)) return false;
  const auto bytes = with_bytes ? number(words.next()) : std::optional<std::uint16_t>(0);
  if (!code || one.text.empty() || !bytes || *bytes > 64) return false;
  one.number = *code;
  one.item_bytes = static_cast<std::uint8_t>(*bytes);
  return into.add(one);
}

constexpr bool framework(std::string_view word, TensorKind& into) {
  into = word == "torch" ? TensorKind::torch : TensorKind::tensorflow;
  return word == "torch" || word == "tensorflow";
}

constexpr bool release(Words& words, TensorLayout& into) {
  words.next();  // the version is for people
  const auto identity = words.next();
  return !identity.empty() && into.identities.add(identity_hash(identity));
}

constexpr bool numbers(std::string_view word, Words& words, TensorLayout& into, bool& known) {
  if (word == "rank") return field(words, into.rank);
  if (word == "numel") return field(words, into.numel);
  if (word == "dtype") return field(words, into.dtype);
  if (word == "tag") return field(words, into.tag);
  if (word == "data") return field(words, into.data);
  if (word == "offset") return field(words, into.offset);
  if (word == "room-bytes") return field(words, into.room_bytes);
  if (word == "room-items") return field(words, into.room_items);
  if (word == "device") return field(words, into.device);
  if (word == "device-index") return field(words, into.device_index);
  return known = false;
}

constexpr bool line(std::string_view text, TensorLayout& into) {
  Words words{text};
  const auto word = words.next();
  bool known = true;
  const bool sound = [&] {
    if (word == "framework") return framework(words.next(), into.kind);
    if (word == "release") return release(words, into);
    if (word == "block") return place(words, into.block);
    if (word == "dims") return extents(words, into.dims);
    if (word == "strides") return extents(words, into.strides);
    if (word == "dtype-name") return name(words, true, into.dtypes);
    if (word == "device-name") return name(words, false, into.devices);
    if (word == "device-object") return place(words, into.device_object);
    if (word == "device-text") return place(words, into.device_text);
    if (word == "variable") return place(words, into.variable);
    return numbers(word, words, into, known);
  }();
  return sound && known && words.next().empty();
}

}  // namespace layout_text

// From "layout 1" to "end". Nothing where a line is not understood, or the layout lacks what every reading needs.
constexpr std::optional<TensorLayout> tensor_layout_of(std::string_view text) {
  TensorLayout layout;
  bool begun = false;
  while (!text.empty()) {
    const auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(line.size() < text.size() ? line.size() + 1 : line.size());
    if (line.empty() || line.front() == '#') continue;
    if (line == "end")
      return begun && !layout.block.empty() && layout.rank && layout.numel && layout.dtype && layout.data &&
                     !layout.dims.empty() && !layout.dtypes.empty()
                 ? std::optional(layout)
                 : std::nullopt;
    if (!begun ? line != "layout 1" : !layout_text::line(line, layout)) return std::nullopt;
    begun = true;
  }
  return std::nullopt;
}

}  // namespace sigwhy::python
