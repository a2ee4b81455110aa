#include "inputs/npy_type.h"

#include <fmt/format.h>

#include <charconv>
#include <string_view>

#include "inputs/verdict.h"

namespace sigwhy::inputs {

namespace {

using Kind = Literal::Kind;

constexpr std::uint64_t largest_item = 1ull << 31;  // NumPy's own

bool one_of(std::uint64_t size, std::initializer_list<std::uint64_t> sizes) {
  for (const auto s : sizes)
    if (s == size) return true;
  return false;
}

bool can_have(char kind, std::uint64_t size) {
  switch (kind) {
    case 'b': return size == 1;
    case 'i':
    case 'u': return one_of(size, {1, 2, 4, 8});
    case 'f': return one_of(size, {2, 4, 8, 12, 16});
    case 'c': return one_of(size, {8, 16, 24, 32});
    case 'M':
    case 'm': return size == 8;
    case 'S':
    case 'a':
    case 'V':
    case 'U': return size <= largest_item / 4;
    default: return false;
  }
}

NpyTypeRead wrong(std::size_t at, std::string what) { return {.at = at, .what = std::move(what)}; }

NpyTypeRead simple(const Literal& descr) {
  const std::string_view name = descr.text;
  const auto objection = wrong(descr.at, fmt::format("'{}' is no type that NumPy knows", shown(name)));
  if (name.size() < 2 || std::string_view("<>|=").find(name[0]) == std::string_view::npos) return objection;
  const auto quoted = "'" + shown(name) + "'";
  if (name[1] == 'O') return {.type = NpyType{.bytes = 8, .holds_objects = true, .name = quoted}};
  std::uint64_t size = 0;
  const auto [end, error] = std::from_chars(name.data() + 2, name.data() + name.size(), size);
  const std::string_view unit(end, static_cast<std::size_t>(name.data() + name.size() - end));
  const bool is_time = name[1] == 'M' || name[1] == 'm';
  if (error != std::errc() || !can_have(name[1], size)) return objection;
  if (!unit.empty() && !(is_time && unit.starts_with('[') && unit.ends_with(']'))) return objection;
  return {.type = NpyType{.bytes = name[1] == 'U' ? 4 * size : size, .name = quoted}};
}

bool is_field(const Literal& field) {
  const auto& parts = field.items;
  if (!field.is(Kind::tuple) || parts.size() < 2 || parts.size() > 3) return false;
  const bool titled = parts[0].is(Kind::tuple) && parts[0].items.size() == 2;
  return (parts[0].is(Kind::text) || titled) && (parts.size() == 2 || parts[2].is(Kind::tuple) || parts[2].is(Kind::number));
}

NpyTypeRead fields(const Literal& descr) {
  NpyType all{.name = counted(descr.items.size(), "field")};
  for (const auto& field : descr.items) {
    if (!is_field(field)) return wrong(field.at, "this is no field of a structured type");
    auto inner = read_npy_type(field.items[1]);
    if (!inner.type) return inner;
    std::uint64_t bytes = inner.type->bytes;
    if (field.items.size() == 3) {
      const auto& shape = field.items[2];
      for (const auto& size : shape.is(Kind::tuple) ? shape.items : std::vector{shape})
        if (!size.is(Kind::number) || __builtin_mul_overflow(bytes, size.number, &bytes)) return wrong(size.at, "this is no size");
    }
    if (__builtin_add_overflow(all.bytes, bytes, &all.bytes) || all.bytes > largest_item) return wrong(field.at, "the type is too large");
    all.holds_objects |= inner.type->holds_objects;
  }
  return {.type = all};
}

}  // namespace

NpyTypeRead read_npy_type(const Literal& descr) {
  if (descr.is(Kind::text)) return simple(descr);
  if (descr.is(Kind::list)) return fields(descr);
  return wrong(descr.at, "this is no type");
}

}  // namespace sigwhy::inputs
