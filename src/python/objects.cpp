#include "python/objects.h"

#include <algorithm>
#include <cctype>

#include "python/texts.h"

namespace sigwhy::python {

namespace {

// Type flags that CPython keeps for its own classes and all that derive from them.
constexpr std::uint64_t is_integer = 1u << 24, is_list = 1u << 25, is_tuple = 1u << 26, is_bytes = 1u << 27,
                        is_text = 1u << 28, is_dict = 1u << 29, is_exception = 1u << 30, is_type = 1u << 31;
constexpr std::uint64_t is_small_integer = 1u << 23;  // 2.7's int

struct KnownName {
  std::string_view name;  // as tp_name has it: with the module where the type was written in C
  Kind kind;
};

// Looked for along the line of bases, so that subclasses are found too.
constexpr KnownName known_names[] = {
    {"NoneType", Kind::none},
    {"bool", Kind::boolean},
    {"float", Kind::floating},
    {"bytearray", Kind::bytearray},
    {"memoryview", Kind::memoryview},
    {"set", Kind::set},
    {"frozenset", Kind::set},
    {"module", Kind::module},
    {"function", Kind::callable},
    {"builtin_function_or_method", Kind::callable},
    {"method", Kind::callable},
    {"classobj", Kind::type},
    {"instancemethod", Kind::callable},
    {"cell", Kind::cell},
    {"numpy.ndarray", Kind::ndarray},
    {"numpy.generic", Kind::numpy_scalar},
    {"numpy.dtype", Kind::dtype},
    {"numpy.dtypes.DType", Kind::dtype},
    {"array.array", Kind::array},
    {"mmap.mmap", Kind::mmap},
    {"_ctypes.PyCFuncPtr", Kind::callable},
    {"_ctypes.CFuncPtr", Kind::callable},
    {"_ctypes._CData", Kind::ctypes},
    {"EagerTensor", Kind::eager_tensor},
    {"tensorflow.python.framework.ops.EagerTensor", Kind::eager_tensor},
    {"BaseResourceVariable", Kind::tensor_variable},
    {"torch._C.TensorBase", Kind::torch_tensor},
    {"torch._C._TensorBase", Kind::torch_tensor},
};

constexpr int longest_line_of_bases = 12;
constexpr std::int64_t largest_length = std::int64_t{1} << 40;

bool plausible_pointer(Address a) { return a.value >= 4096 && a.value % 8 == 0 && a.value >> 47 == 0; }

std::optional<Kind> kind_by_flags(std::uint64_t flags, bool old) {
  if (flags & is_integer || (old && flags & is_small_integer)) return Kind::integer;
  if (flags & is_list) return Kind::list;
  if (flags & is_tuple) return Kind::tuple;
  if (flags & is_dict) return Kind::dict;
  if (flags & is_exception) return Kind::exception;
  if (flags & is_type) return Kind::type;
  // What 2.7 calls a string is bytes; its own unicode strings have another shape.
  if (flags & is_text) return old ? Kind::wide_text : Kind::text;
  if (flags & is_bytes) return old ? Kind::text : Kind::bytes;
  return std::nullopt;
}

}  // namespace

const TypeInfo* Objects::type_of(Address object) const {
  if (!plausible_pointer(object)) return nullptr;
  return type_at(pointer(object + 8));
}

const TypeInfo* Objects::type_at(Address type) const {
  if (!plausible_pointer(type)) return nullptr;
  TypeInfo& slot = types_[(type.value >> 4 ^ type.value >> 12) % remembered_types];
  if (slot.at == type) return slot.text_size ? &slot : nullptr;
  auto read = read_type(type);
  slot = read.value_or(TypeInfo{.at = type});
  return read ? &slot : nullptr;
}

std::optional<TypeInfo> Objects::read_type(Address type) const {
  const auto& at = layout_.objects.type;
  TypeInfo info{.at = type};
  const auto flags = memory_.read_value<std::uint64_t>(type + at.flags);
  const auto size = memory_.read_value<std::int64_t>(type + at.basic_size);
  const auto dict_offset = memory_.read_value<std::int64_t>(type + at.dict_offset);
  if (!flags || !size || !dict_offset || *size < 16 || *size > (1 << 20)) return std::nullopt;
  info.flags = *flags;
  info.basic_size = *size;
  info.dict_offset = *dict_offset;
  std::array<char, 160> name{};
  const auto got = memory_.read(pointer(type + at.name), std::as_writable_bytes(std::span(name)));
  const auto end = std::find(name.begin(), name.begin() + static_cast<std::ptrdiff_t>(got), '\0');
  std::string_view text(name.data(), static_cast<std::size_t>(end - name.begin()));
  const auto printable = [](char c) { return static_cast<unsigned char>(c) > ' ' && c != 0x7f; };
  if (text.empty() || text.size() == name.size() || !std::ranges::all_of(text, printable)) return std::nullopt;
  text = text.substr(text.rfind('.') + 1);
  info.text_size = static_cast<std::uint8_t>(std::min(text.size(), info.text.size()));
  std::ranges::copy_n(text.begin(), info.text_size, info.text.begin());
  info.kind = kind_of(type, info);
  return info;
}

Kind Objects::kind_of(Address type, const TypeInfo& info) const {
  Address base = type;
  for (int i = 0; i < longest_line_of_bases && plausible_pointer(base); ++i) {
    std::array<char, 64> name{};
    const auto got = memory_.read(pointer(base + layout_.objects.type.name), std::as_writable_bytes(std::span(name)));
    std::string_view text(name.data(), got);
    text = text.substr(0, text.find('\0'));
    for (const auto& known : known_names)
      if (text == known.name) return known.kind;
    base = pointer(base + layout_.objects.type.base);
  }
  return kind_by_flags(info.flags, layout_.major == 2).value_or(Kind::instance);
}

std::optional<std::int64_t> Objects::integer(Address object) const {
  const auto& at = layout_.objects.integer;
  const auto* type = type_of(object);
  if (!type) return std::nullopt;
  if (at.small && (type->flags & is_small_integer)) return memory_.read_value<std::int64_t>(object + *at.small);
  std::int64_t digits = 0;
  bool negative = false;
  if (at.tag) {
    const auto tag = memory_.read_value<std::uint64_t>(object + *at.tag);
    if (!tag) return std::nullopt;
    digits = static_cast<std::int64_t>(*tag >> 3);
    negative = (*tag & 3) == 2;
  } else {
    const auto size = memory_.read_value<std::int64_t>(object + at.size);
    if (!size || *size < -3 || *size > 3) return std::nullopt;
    negative = *size < 0;
    digits = negative ? -*size : *size;
  }
  std::array<std::uint32_t, 3> digit{};
  if (digits > 3) return std::nullopt;
  const auto bytes = std::as_writable_bytes(std::span(digit).first(static_cast<std::size_t>(digits)));
  if (memory_.read(object + at.digits, bytes) != bytes.size()) return std::nullopt;
  constexpr int digit_bits = 30;
  if (digit[2] >> (63 - 2 * digit_bits)) return std::nullopt;
  const auto value = static_cast<std::int64_t>(std::uint64_t{digit[0]} | std::uint64_t{digit[1]} << digit_bits |
                                               std::uint64_t{digit[2]} << 2 * digit_bits);
  return negative ? -value : value;
}

std::optional<double> Objects::floating(Address object) const {
  return memory_.read_value<double>(object + layout_.objects.float_value);
}

std::optional<std::uint64_t> Objects::length(Address object, Kind kind) const {
  const auto& at = layout_.objects;
  const auto size = [&](Offset offset) -> std::optional<std::uint64_t> {
    const auto value = memory_.read_value<std::int64_t>(object + offset);
    if (!value || *value < 0 || *value > largest_length) return std::nullopt;
    return static_cast<std::uint64_t>(*value);
  };
  switch (kind) {
    case Kind::text: return text_length(memory_, layout_, object);
    case Kind::wide_text: return size(16);
    case Kind::bytes:
    case Kind::bytearray:
    case Kind::array: return size(layout_.bytes.size);
    case Kind::list: return size(at.list.size);
    case Kind::tuple: return size(at.tuple.size);
    case Kind::dict: return size(at.dict.used);
    case Kind::set: return size(at.set.used);
    default: return std::nullopt;
  }
}

bool Objects::text_is(Address object, std::string_view expected) const {
  TextBuffer<128> text;
  return text_length(memory_, layout_, object) == expected.size() && read_text(memory_, layout_, object, text) &&
         text.view() == expected;
}

}  // namespace sigwhy::python
