// CPython's own blocks of memory: memoryview (a Py_buffer), bytes, bytearray, array.array, ctypes objects, mmap.
// The last three keep their structures to themselves, but have not changed them since 2.7.
#include <algorithm>

#include "python/arrays.h"

namespace sigwhy::python {

namespace {

struct PyBuffer {
  std::uint64_t data, object;
  std::int64_t bytes, item_bytes;
  std::int32_t read_only, dimensions;
  std::uint64_t format, shape, strides;
};

struct ArrayModuleHead {  // behind the length
  std::uint64_t data;
  std::int64_t allocated;
  std::uint64_t description;
};
constexpr Offset array_module_head = 24;

struct CtypesHead {
  std::uint64_t data;
  std::int32_t owns, unused;
  std::uint64_t base;
  std::int64_t bytes, length;
};
constexpr Offset ctypes_head = 16;

struct MmapHead {
  std::uint64_t data, bytes;
};
constexpr Offset mmap_head = 16;

constexpr std::int64_t most_bytes = std::int64_t{1} << 46;

struct Format {
  char code;
  std::string_view name;
  std::uint64_t bytes;
};
constexpr Format formats[] = {{'?', "bool", 1},   {'b', "int8", 1},    {'B', "uint8", 1},   {'h', "int16", 2},
                              {'H', "uint16", 2}, {'i', "int32", 4},   {'I', "uint32", 4},  {'l', "int64", 8},
                              {'L', "uint64", 8}, {'q', "int64", 8},   {'Q', "uint64", 8},  {'e', "float16", 2},
                              {'f', "float32", 4}, {'d', "float64", 8}, {'c', "S1", 1},      {'u', "U1", 4}};

void put_format(ArrayFacts& a, std::string_view text) {
  if (text.size() > 1 && std::string_view("@=<").find(text[0]) != std::string_view::npos) text.remove_prefix(1);
  for (const auto& f : formats)
    if (text.size() == 1 && text[0] == f.code && f.bytes == a.item_bytes) return put(a.dtype, f.name);
  put(a.dtype, text);
}

// One row of `count` elements.
bool one_row(ArrayFacts& a, Address data, std::int64_t bytes, std::uint64_t item_bytes) {
  if (bytes < 0 || bytes > most_bytes || item_bytes == 0) return false;
  a.item_bytes = item_bytes;
  a.bytes = static_cast<std::uint64_t>(bytes);
  a.dimensions = 1;
  a.shape[0] = static_cast<std::int64_t>(a.bytes / item_bytes);
  a.strides[0] = static_cast<std::int64_t>(item_bytes);
  a.has_strides = true;
  a.data = data;
  return true;
}

void own_memory(ArrayFacts& a) {
  a.owns_memory = true;
  a.memory_start = a.data;
  a.memory_bytes = a.bytes;
}

bool memoryview(const Objects& o, Address object, ArrayFacts& a) {
  const auto view = o.memory().read_value<PyBuffer>(object + o.layout().objects.memoryview.view);
  if (!view || view->bytes < 0 || view->bytes > most_bytes || view->dimensions < 0 || view->item_bytes <= 0 ||
      view->dimensions > static_cast<int>(most_dimensions))
    return false;
  a.data = Address{view->data};
  a.bytes = static_cast<std::uint64_t>(view->bytes);
  a.item_bytes = static_cast<std::uint64_t>(view->item_bytes);
  a.writable = view->read_only == 0;
  a.dimensions = static_cast<std::size_t>(view->dimensions);
  const auto list = [&](std::uint64_t at, std::array<std::int64_t, most_dimensions>& into) {
    const auto bytes = std::as_writable_bytes(std::span(into).first(a.dimensions));
    return at && o.memory().read(Address{at}, bytes) == bytes.size();
  };
  if (!list(view->shape, a.shape)) return false;
  a.has_strides = list(view->strides, a.strides);
  std::array<char, 8> format{};
  const auto got = o.memory().read(Address{view->format}, std::as_writable_bytes(std::span(format)));
  const std::string_view text(format.data(), got);
  put_format(a, view->format ? text.substr(0, text.find('\0')) : "B");
  return true;
}

bool array_module(const Objects& o, Address object, ArrayFacts& a) {
  const auto head = o.memory().read_value<ArrayModuleHead>(object + array_module_head);
  const auto length = o.length(object, Kind::array);
  if (!head || !length) return false;
  struct Description {
    char code;
    std::int32_t item_bytes;
  };
  const auto description = o.memory().read_value<Description>(Address{head->description});
  if (!description || description->item_bytes < 1 || description->item_bytes > 16) return false;
  const auto item = static_cast<std::uint64_t>(description->item_bytes);
  if (*length > static_cast<std::uint64_t>(most_bytes) / item) return false;
  if (!one_row(a, Address{head->data}, static_cast<std::int64_t>(*length * item), item)) return false;
  put_format(a, {&description->code, 1});
  a.writable = true;
  own_memory(a);
  return true;
}

bool is_pointer_class(std::string_view name) {
  return name.starts_with("LP_") || name == "c_void_p" || name == "c_char_p" || name == "c_wchar_p";
}

// A ctypes object is a block of memory; what it holds (an array, a structure, a pointer) its class says. A pointer's
// block is the pointer itself: what it points to is the interesting part, and nobody knows how long that is.
bool ctypes(const Objects& o, Address object, const TypeInfo& type, ArrayFacts& a) {
  const auto head = o.memory().read_value<CtypesHead>(object + ctypes_head);
  if (!head || head->bytes <= 0 || head->bytes > most_bytes) return false;
  const std::string_view name = type.name();
  std::uint64_t item = static_cast<std::uint64_t>(head->bytes);
  if (head->length > 1 && head->bytes % head->length == 0) item = static_cast<std::uint64_t>(head->bytes / head->length);
  if (!one_row(a, Address{head->data}, head->bytes, item)) return false;
  const auto of = name.find("_Array_");
  put(a.dtype, of != name.npos ? name.substr(0, of) : name);
  if (is_pointer_class(name) && head->bytes == 8) a.points_to = o.pointer(Address{head->data});
  a.writable = true;
  a.owns_memory = head->owns != 0;
  if (*a.owns_memory) own_memory(a);
  return true;
}

}  // namespace

bool read_buffer(const Objects& o, Address object, const TypeInfo& type, ArrayFacts& a) {
  a.object = object;
  const auto with = [&](ArrayKind kind, bool read) {
    a.kind = kind;
    return read;
  };
  switch (type.kind) {
    case Kind::memoryview: return with(ArrayKind::memoryview, memoryview(o, object, a));
    case Kind::array: return with(ArrayKind::array, array_module(o, object, a));
    case Kind::ctypes: return with(ArrayKind::ctypes, ctypes(o, object, type, a));
    case Kind::mmap: {
      const auto head = o.memory().read_value<MmapHead>(object + mmap_head);
      if (!head || !one_row(a, Address{head->data}, static_cast<std::int64_t>(head->bytes), 1)) return false;
      put(a.dtype, "uint8");
      own_memory(a);
      return with(ArrayKind::mmap, true);
    }
    case Kind::bytes:
    case Kind::bytearray: {
      const bool is_bytes = type.kind == Kind::bytes;
      const auto length = o.length(object, type.kind);
      const Address data = is_bytes ? object + o.layout().bytes.data : o.pointer(object + o.layout().objects.bytearray_start);
      if (!length || !one_row(a, data, static_cast<std::int64_t>(*length), 1)) return false;
      put(a.dtype, "uint8");
      a.writable = !is_bytes;
      own_memory(a);
      return with(is_bytes ? ArrayKind::bytes : ArrayKind::bytearray, true);
    }
    default: return false;
  }
}

}  // namespace sigwhy::python
