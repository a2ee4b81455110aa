#include "python/values.h"

#include <algorithm>
#include <charconv>

namespace sigwhy::python {

namespace {

constexpr std::uint64_t most_items = 8;
constexpr std::uint64_t most_looked_at = 4096;
constexpr std::size_t most_groups = 6;

// Large, and one walk runs at a time.
std::array<SeenGroup, most_groups> group_room;
Text text_room;
TextBuffer<160> dtype_room;

bool same_kind(const SeenGroup& g, std::string_view type, std::optional<std::uint64_t> length, const ArrayFacts* a) {
  if (g.type.view() != type || g.length != length || g.is_array != (a != nullptr)) return false;
  if (!a) return true;
  return g.array.dtype.view() == a->dtype.view() && g.array.dimensions == a->dimensions &&
         std::equal(a->shape.begin(), a->shape.begin() + static_cast<std::ptrdiff_t>(a->dimensions), g.array.shape.begin());
}

Scalar scalar_of(const Objects& o, Address object, const TypeInfo& type) {
  Scalar s;
  switch (type.kind) {
    case Kind::none: s.is_none = true; break;
    case Kind::boolean:
      if (const auto value = o.integer(object)) s.boolean = *value != 0;
      break;
    case Kind::integer: s.integer = o.integer(object); break;
    case Kind::floating: s.floating = o.floating(object); break;
    case Kind::text:
      if (read_text(o.memory(), o.layout(), object, text_room)) s.text = text_room.view();
      break;
    case Kind::bytes: {
      const auto size = std::min<std::uint64_t>(o.length(object, type.kind).value_or(0), text_room.bytes.size());
      text_room.size = o.memory().read(object + o.layout().bytes.data, std::as_writable_bytes(std::span(text_room.bytes)).first(size));
      s.bytes = text_room.view();
      break;
    }
    case Kind::dtype: {
      std::uint64_t bytes = 0;
      char kind = 0;
      if (read_dtype(o, object, dtype_room, bytes, kind)) s.symbol = dtype_room.view();
      break;
    }
    case Kind::numpy_scalar: {
      // The value follows the object's head; which it is, the class's name says.
      const auto name = type.name();
      const Address at = object + 16;
      const auto& m = o.memory();
      if (name == "float64") s.floating = m.read_value<double>(at);
      else if (name == "float32") {
        if (const auto value = m.read_value<float>(at)) s.floating = static_cast<double>(*value);
      } else if (name == "int64" || name == "longlong") s.integer = m.read_value<std::int64_t>(at);
      else if (name == "int32" || name == "intc") s.integer = m.read_value<std::int32_t>(at);
      else if (name == "int16") s.integer = m.read_value<std::int16_t>(at);
      else if (name == "int8") s.integer = m.read_value<std::int8_t>(at);
      else if (name == "uint8") s.integer = m.read_value<std::uint8_t>(at);
      else if (name == "uint16") s.integer = m.read_value<std::uint16_t>(at);
      else if (name == "uint32") s.integer = m.read_value<std::uint32_t>(at);
      break;
    }
    default: break;
  }
  return s;
}

// Name, type, scalar, length and array of one object; no groups, no items.
void plain(const Objects& o, SeenValue& v, const TypeInfo& type, ArrayFacts& array) {
  v.type = type.name();
  v.length = o.length(v.object, type.kind);
  v.scalar = scalar_of(o, v.object, type);
  if (is_array(type.kind) && read_array(o, v.object, type, array)) {
    v.array = &array;
    // The allocator's own word stands before the data: whether the block still lives is told there.
    if (array.data) (void)o.memory().read_value<std::array<std::uint64_t, 4>>(*array.data - 16);
  }
}

void member(const Objects& o, std::string_view name, Address object, ValueSink& sink) {
  const auto* found = o.type_of(object);
  if (!found) return;
  const TypeInfo type = *found;
  SeenValue v{.name = name, .type = {}, .object = object};
  ArrayFacts array;
  plain(o, v, type, array);
  sink.item(v);
}

void indexed_members(const Objects& o, Address object, Kind kind, ValueSink& sink) {
  o.elements(object, kind, most_items, [&](std::uint64_t i, Address element) {
    char name[32] = "[";
    char* end = std::to_chars(name + 1, name + 30, i).ptr;
    *end++ = ']';
    member(o, {name, static_cast<std::size_t>(end - name)}, element, sink);
    return true;
  });
}

struct KeyName {
  char bytes[128];
  std::size_t size = 0;
  void put(std::string_view text) {
    for (const char c : text)
      if (size < sizeof bytes) bytes[size++] = c;
  }
  std::string_view view() const { return {bytes, size}; }
};

bool put_key(const Objects& o, Address key, KeyName& name) {
  const auto* type = o.type_of(key);
  if (!type) return false;
  if (type->kind == Kind::text) {
    TextBuffer<64> text;
    if (!read_text(o.memory(), o.layout(), key, text)) return false;
    name.put("['");
    name.put(text.view());
    name.put("']");
    return true;
  }
  const auto number = type->kind == Kind::integer ? o.integer(key) : std::nullopt;
  if (!number) return false;
  char digits[32];
  name.put("[");
  name.put({digits, static_cast<std::size_t>(std::to_chars(digits, digits + sizeof digits, *number).ptr - digits)});
  name.put("]");
  return true;
}

void keyed_members(const Objects& o, Address dict, ValueSink& sink) {
  o.entries(dict, most_items, [&](Address key, Address value) {
    KeyName name;
    if (put_key(o, key, name)) member(o, name.view(), value, sink);
    return true;
  });
}

void attribute_members(const Objects& o, Address object, const TypeInfo& type, ValueSink& sink) {
  o.attributes(object, type, 2 * most_items, [&](Address key, Address value) {
    TextBuffer<64> text;
    KeyName name;
    if (!read_text(o.memory(), o.layout(), key, text)) return true;
    name.put(".");
    name.put(text.view());
    member(o, name.view(), value, sink);
    return true;
  });
}

}  // namespace

std::span<const SeenGroup> groups_of(const Objects& o, Address object, const TypeInfo& type, const ArrayFacts* array) {
  std::size_t count = 0;
  const auto look = [&](std::uint64_t index, Address element) {
    const auto* found = o.type_of(element);
    if (!found) return true;
    const TypeInfo of = *found;
    const auto length = of.kind == Kind::text || of.kind == Kind::bytes ? std::nullopt : o.length(element, of.kind);
    ArrayFacts facts;
    const bool is_array = (of.kind == Kind::ndarray || is_tensor(of.kind)) && read_array(o, element, of, facts);
    const auto end = group_room.begin() + static_cast<std::ptrdiff_t>(count);
    const auto same = std::find_if(group_room.begin(), end, [&](const SeenGroup& g) {
      return same_kind(g, of.name(), length, is_array ? &facts : nullptr);
    });
    if (same != end) {
      ++same->count;
      return true;
    }
    if (count == most_groups) return false;
    SeenGroup& g = group_room[count++];
    g = {.type = {}, .length = length, .is_array = is_array, .array = facts, .count = 1, .first = index};
    g.type.size = of.name().size();
    std::ranges::copy(of.name(), g.type.bytes.begin());
    return true;
  };
  if (array) object_elements(o, *array, most_looked_at, look);
  else if (type.kind == Kind::list || type.kind == Kind::tuple) o.elements(object, type.kind, most_looked_at, look);
  return std::span(group_room).first(count);
}

void describe_value(const Objects& o, std::string_view name, Address object, bool argument, bool brief, ValueSink& sink) {
  const auto* found = o.type_of(object);
  if (!found) return;
  const TypeInfo type = *found;
  SeenValue v{.name = name, .type = type.name(), .object = object, .argument = argument};
  if (brief) return sink.value(v);
  ArrayFacts array;
  plain(o, v, type, array);
  v.groups = groups_of(o, object, type, v.array);
  sink.value(v);
  switch (type.kind) {
    case Kind::list:
    case Kind::tuple: return indexed_members(o, object, type.kind, sink);
    case Kind::dict: return keyed_members(o, object, sink);
    case Kind::instance:
    case Kind::exception: return attribute_members(o, object, type, sink);
    default: return;
  }
}

}  // namespace sigwhy::python
