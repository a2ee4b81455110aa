#include "diagnose/array_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace sigwhy::diagnose {

namespace {

constexpr std::size_t most_dimensions = 32;
constexpr std::size_t most_found = 32;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

void skip_blanks(std::string_view text, std::size_t& at) {
  while (at < text.size() && text[at] == ' ') ++at;
}

// A dimension: a number, or "None", "?" and "newaxis" where it is not fixed.
std::optional<std::int64_t> dimension(std::string_view text, std::size_t& at) {
  for (const std::string_view open : {"None", "?", "newaxis"})
    if (text.substr(at).starts_with(open)) {
      at += open.size();
      return -1;
    }
  std::int64_t value = 0;
  const auto done = std::from_chars(text.data() + at, text.data() + text.size(), value);
  if (done.ec != std::errc() || value < 0) return std::nullopt;
  at = static_cast<std::size_t>(done.ptr - text.data());
  return value;
}

// "(3,4)", "[3, 4]", "(5,)" and "[5]"; a number alone in round brackets is no shape.
std::optional<Dimensions> bracketed(std::string_view text, std::size_t at) {
  const char close = text[at] == '(' ? ')' : ']';
  Dimensions shape;
  bool comma = false;
  for (++at; at < text.size() && shape.size() < most_dimensions;) {
    skip_blanks(text, at);
    if (at < text.size() && text[at] == close) return close == ']' || comma ? std::optional(shape) : std::nullopt;
    const auto value = dimension(text, at);
    if (!value) return std::nullopt;
    shape.push_back(*value);
    skip_blanks(text, at);
    if (at < text.size() && text[at] == ',') comma = true, ++at;
    else if (at >= text.size() || text[at] != close) return std::nullopt;
  }
  return std::nullopt;
}

// "64x784"; not "0x7f".
std::optional<Dimensions> crossed(std::string_view text, std::size_t& at) {
  Dimensions shape;
  auto here = at;
  for (;;) {
    if (here >= text.size() || !is_digit(text[here])) return std::nullopt;
    const auto value = dimension(text, here);
    if (!value) return std::nullopt;
    shape.push_back(*value);
    if (here >= text.size() || text[here] != 'x' || shape.size() >= most_dimensions) break;
    ++here;
  }
  if (shape.size() < 2 || (here < text.size() && is_letter(text[here])) || text.substr(at).starts_with("0x"))
    return std::nullopt;
  at = here;
  return shape;
}

struct Known {
  std::string_view written, numpy;
  std::uint64_t bytes;
};

// Torch's names start with a capital, TensorFlow says "float" for float32 and "double" for float64.
constexpr std::array known = {Known{"float16", "float16", 2},     Known{"bfloat16", "bfloat16", 2},
                              Known{"float32", "float32", 4},     Known{"float64", "float64", 8},
                              Known{"int8", "int8", 1},           Known{"int16", "int16", 2},
                              Known{"int32", "int32", 4},         Known{"int64", "int64", 8},
                              Known{"uint8", "uint8", 1},         Known{"uint16", "uint16", 2},
                              Known{"uint32", "uint32", 4},       Known{"uint64", "uint64", 8},
                              Known{"complex64", "complex64", 8}, Known{"complex128", "complex128", 16},
                              Known{"bool", "bool", 1},           Known{"Half", "float16", 2},
                              Known{"BFloat16", "bfloat16", 2},   Known{"Float", "float32", 4},
                              Known{"Double", "float64", 8},      Known{"Long", "int64", 8},
                              Known{"Int", "int32", 4},           Known{"Short", "int16", 2},
                              Known{"Char", "int8", 1},           Known{"Byte", "uint8", 1},
                              Known{"Bool", "bool", 1},           Known{"float", "float32", 4},
                              Known{"double", "float64", 8},      Known{"half", "float16", 2},
                              Known{"object_", "object", 8},      Known{"bool_", "bool", 1},
                              Known{"FloatTensor", "float32", 4}, Known{"DoubleTensor", "float64", 8},
                              Known{"LongTensor", "int64", 8},    Known{"IntTensor", "int32", 4},
                              Known{"ByteTensor", "uint8", 1},    Known{"HalfTensor", "float16", 2}};

}  // namespace

std::vector<Dimensions> shapes_in(std::string_view text) {
  std::vector<Dimensions> found;
  for (std::size_t at = 0; at < text.size() && found.size() < most_found;) {
    const bool fresh = at == 0 || !(is_digit(text[at - 1]) || is_letter(text[at - 1]));
    std::optional<Dimensions> shape;
    if (text[at] == '(' || text[at] == '[') shape = bracketed(text, at);
    else if (is_digit(text[at]) && fresh) shape = crossed(text, at);
    if (shape) found.push_back(std::move(*shape));
    ++at;
  }
  return found;
}

std::vector<std::uint64_t> numbers_in(std::string_view text) {
  std::vector<std::uint64_t> found;
  for (std::size_t at = 0; at < text.size();) {
    if (!is_digit(text[at])) {
      ++at;
      continue;
    }
    std::uint64_t value = 0;
    const auto done = std::from_chars(text.data() + at, text.data() + text.size(), value);
    if (done.ec == std::errc() && found.size() < 4 * most_found) found.push_back(value);
    at = static_cast<std::size_t>(done.ptr - text.data());
  }
  return found;
}

std::vector<std::string> dtypes_in(std::string_view text) {
  std::vector<std::string> found;
  for (std::size_t at = 0; at < text.size();) {
    if (!is_letter(text[at])) {
      ++at;
      continue;
    }
    const auto start = at;
    while (at < text.size() && (is_letter(text[at]) || is_digit(text[at]))) ++at;
    const auto word = text.substr(start, at - start);
    const auto type = std::ranges::find(known, word, &Known::written);
    if (type == known.end()) continue;
    if (std::ranges::find(found, type->numpy) == found.end()) found.emplace_back(type->numpy);
  }
  return found;
}

std::optional<std::uint64_t> dtype_bytes(std::string_view dtype) {
  const auto type = std::ranges::find(known, dtype, &Known::written);
  if (type == known.end() || type->bytes == 0) return std::nullopt;
  return type->bytes;
}

std::string shape_text(const Dimensions& shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i) text += ", ";
    text += shape[i] < 0 ? "None" : fmt::format("{}", shape[i]);
  }
  return text + (shape.size() == 1 ? ",)" : ")");
}

bool has_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

static bool agree(const Dimensions& a, const Dimensions& b) {
  return std::ranges::equal(a, b, [](std::int64_t x, std::int64_t y) { return x == y || x < 0 || y < 0; });
}

bool names_types_of_equal_shapes(std::string_view message) {
  const auto shapes = shapes_in(message);
  if (shapes.size() < 2 || dtypes_in(message).size() < 2) return false;
  if (has_any(message, {"axis", "imension", "ndim", "rank", "size"})) return false;
  return std::ranges::all_of(shapes, [&](const Dimensions& shape) { return agree(shape, shapes.front()); });
}

static bool ends_sentence(std::string_view text, std::size_t at) {
  const char before = at > 0 ? text[at - 1] : ' ';
  if (text[at] == '\n') return before != ':' && before != ',';
  return text[at] == '.' && !is_digit(before) && at + 1 < text.size() && text[at + 1] == ' ';
}

std::vector<std::string_view> sentences_of(std::string_view message) {
  std::vector<std::string_view> found;
  int depth = 0;
  std::size_t start = 0;
  for (std::size_t at = 0; at < message.size(); ++at) {
    if (message[at] == '(' || message[at] == '[') ++depth;
    if (message[at] == ')' || message[at] == ']') depth = std::max(depth - 1, 0);
    if (depth > 0 || !ends_sentence(message, at)) continue;
    found.push_back(message.substr(start, at - start));
    start = at + 1;
  }
  found.push_back(message.substr(start));
  return found;
}

std::string without_private_names(std::string_view message) {
  std::string text;
  for (std::size_t at = 0; at < message.size();) {
    const bool inside = at > 0 && (is_letter(message[at - 1]) || is_digit(message[at - 1]) || message[at - 1] == '.');
    if (message[at] != '_' || inside) {
      text += message[at++];
      continue;
    }
    while (at < message.size() && (is_letter(message[at]) || is_digit(message[at]))) ++at;
  }
  return text;
}

std::optional<std::size_t> broadcast_clash(const Dimensions& a, const Dimensions& b) {
  for (std::size_t back = 1; back <= std::min(a.size(), b.size()); ++back) {
    const auto x = a[a.size() - back], y = b[b.size() - back];
    if (x != y && x != 1 && y != 1 && x >= 0 && y >= 0) return back;
  }
  return std::nullopt;
}

}  // namespace sigwhy::diagnose
