#include "diagnose/reshape.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "diagnose/phrases.h"

namespace sigwhy::diagnose {

namespace {

using Open = Reshape::Open;

constexpr std::uint64_t most_elements = 1ull << 62;

std::string_view behind(std::string_view text, std::string_view mark) {
  const auto at = text.find(mark);
  return at == std::string_view::npos ? std::string_view() : text.substr(at + mark.size());
}

std::uint64_t first_number(std::string_view text) {
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// Absent: too large, or a size that is none.
std::optional<std::uint64_t> product_of(const Dimensions& sizes) {
  std::uint64_t product = 1;
  for (const auto size : sizes) {
    if (size <= 0 || product > most_elements / static_cast<std::uint64_t>(size)) return std::nullopt;
    product *= static_cast<std::uint64_t>(size);
  }
  return product;
}

struct Listed {
  Dimensions sizes;
  bool open = false, comma = false;
};

// "3,newaxis,2)" of NumPy, "-1, 3]" of torch.
Listed listed(std::string_view text, char close) {
  Listed out;
  for (auto rest = text.substr(0, text.find(close)); !rest.empty();) {
    const auto end = rest.find(',');
    auto word = rest.substr(0, end);
    word.remove_prefix(std::min(word.find_first_not_of(' '), word.size()));
    if (word == "newaxis" || word == "-1") out.open = true;
    else if (!word.empty()) out.sizes.push_back(static_cast<std::int64_t>(first_number(word)));
    if (end == rest.npos) break;
    out.comma = true;
    rest.remove_prefix(end + 1);
  }
  return out;
}

// NumPy leaves out a -1 that comes first: of two sizes it shows one, without the comma of a tuple of one.
Open open_in_numpy(const Listed& list, std::string_view line) {
  if (list.open || (list.sizes.size() == 1 && !list.comma) || line.find("-1") != line.npos) return Open::yes;
  const auto numbers = numbers_in(line);
  const bool written = std::ranges::all_of(
      list.sizes, [&](std::int64_t size) { return std::ranges::count(numbers, static_cast<std::uint64_t>(size)) > 0; });
  return written ? Open::no : Open::unknown;
}

Reshape made(Dimensions sizes, Open open) {
  const auto product = product_of(sizes);
  if (!product || sizes.empty()) return {.open = open};
  return {.open = open, .product = *product, .sizes = std::move(sizes)};
}

// TensorFlow tells the product alone; the line may show the sizes.
Reshape fixed(std::uint64_t product, std::string_view line) {
  for (auto& shape : shapes_in(line))
    if (product_of(shape) == product) return made(std::move(shape), Open::no);
  return {.open = Open::no, .product = product};
}

}  // namespace

bool is_reshape(std::string_view words) {
  return has_any(words,
                 {"cannot reshape array of size", "Input to reshape is a tensor with", "is invalid for input of size"});
}

Reshape reshape_in(std::string_view words, std::string_view line) {
  if (const auto text = behind(words, "requires a multiple of "); !text.empty())
    return {.open = Open::yes, .product = first_number(text)};
  if (const auto text = behind(words, "requested shape has "); !text.empty()) return fixed(first_number(text), line);
  if (const auto text = behind(words, "shape '["); !text.empty()) {
    auto list = listed(text, ']');
    return made(std::move(list.sizes), list.open ? Open::yes : Open::no);
  }
  auto list = listed(behind(words, "into shape ("), ')');
  const auto open = open_in_numpy(list, line);
  return made(std::move(list.sizes), open);
}

std::string clash_text(std::uint64_t elements, const Reshape& reshape) {
  if (reshape.product == 0) return "and the shape it is to get has not";
  if (reshape.open == Open::yes && elements % reshape.product != 0)
    return fmt::format("which {} does not divide", count_text(reshape.product));
  return fmt::format("and the sizes it is to get make {}", count_text(reshape.product));
}

std::string fix_text(std::uint64_t elements, const Reshape& reshape) {
  const auto have = count_text(elements), want = count_text(reshape.product);
  if (reshape.open == Open::yes && reshape.product > elements)
    return fmt::format("{} elements are fewer than the {} of one row: choose smaller sizes.", have, want);
  if (reshape.open == Open::yes && reshape.product > 0)
    return fmt::format(
        "{} elements cannot be split into rows of {}, {} would be left over: choose sizes that divide {}, or pad or "
        "drop the rest.",
        have, want, count_text(elements % reshape.product), have);
  if (reshape.open == Open::no)
    for (auto size = reshape.sizes.rbegin(); size != reshape.sizes.rend(); ++size) {
      const auto others = reshape.product / static_cast<std::uint64_t>(*size);
      if (elements > 0 && elements % others == 0)
        return fmt::format("Put -1 in place of {}: it becomes {}.", *size, count_text(elements / others));
    }
  return fmt::format("Choose sizes whose product is {}.", have);
}

}  // namespace sigwhy::diagnose
