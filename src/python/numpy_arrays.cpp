// NumPy's array structure is part of its binary interface: data, dimensions, strides, base, element type, flags at
// places that have not moved since 1.x. The element type's structure moved in 2.0: a 64-bit word of flags came where
// item size and alignment had stood, two ints. An alignment is never 0, the new flags are small: that tells them
// apart without asking for a version.
#include <algorithm>
#include <charconv>

#include "python/arrays.h"

namespace sigwhy::python {

namespace {

struct ArrayHead {
  std::uint64_t data;
  std::int32_t dimensions, unused;
  std::uint64_t shape, strides, base, dtype;
  std::int32_t flags;
};
constexpr Offset array_head = 16;
constexpr int owns_data = 0x4, is_writable = 0x400;

struct DtypeHead {
  char kind, type, byte_order, flags;
  std::int32_t number;
  std::uint32_t words[2];   // 1.x: item size, alignment; 2.x: flags
  std::uint64_t item_bytes;  // 2.x
};
constexpr Offset dtype_head = 24;
constexpr Offset names_offset_1 = 56, fields_offset_1 = 48, names_offset_2 = 104, fields_offset_2 = 96;
constexpr std::uint64_t largest_item = 1u << 30;

void put_number(TextBuffer<160>& text, std::uint64_t number) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  put(text, {digits, static_cast<std::size_t>(end - digits)});
}

// "float32", or with a foreign byte order or a length NumPy's short form: ">f4", "<U5".
bool put_simple(TextBuffer<160>& text, const DtypeHead& head, std::uint64_t bytes, bool short_form) {
  const bool foreign = head.byte_order == '>';
  const auto name = [&](std::string_view word) {
    put(text, word);
    put_number(text, bytes * 8);
  };
  if (foreign || short_form || std::string_view("SUaMmV").find(head.kind) != std::string_view::npos) {
    if (!std::isprint(static_cast<unsigned char>(head.kind))) return false;
    const char order = head.byte_order == '=' ? '<' : head.byte_order;
    if (order != '|' || short_form) put(text, {&order, 1});
    put(text, {&head.kind, 1});
    put_number(text, head.kind == 'U' ? bytes / 4 : bytes);
    return true;
  }
  switch (head.kind) {
    case 'b': put(text, "bool"); return true;
    case 'i': name("int"); return true;
    case 'u': name("uint"); return true;
    case 'f': name("float"); return true;
    case 'c': name("complex"); return true;
    case 'O': put(text, "object"); return true;
    case 'T': put(text, "StringDType"); return true;
    default: return false;
  }
}

struct Dtype {
  DtypeHead head;
  std::uint64_t bytes;
  Address names, fields;
};

std::optional<Dtype> dtype_at(const Objects& objects, Address at) {
  const auto head = objects.memory().read_value<DtypeHead>(at + dtype_head);
  if (!head) return std::nullopt;
  const bool second = head->words[1] == 0;
  Dtype d{*head, second ? head->item_bytes : head->words[0], {}, {}};
  if (d.bytes > largest_item) return std::nullopt;
  if (head->kind == 'V') {
    d.names = objects.pointer(at + (second ? names_offset_2 : names_offset_1));
    d.fields = objects.pointer(at + (second ? fields_offset_2 : fields_offset_1));
  }
  return d;
}

// [('x', '<f4'), ('y', '<i8')]
void put_fields(const Objects& objects, const Dtype& dtype, TextBuffer<160>& name) {
  put(name, "[");
  objects.elements(dtype.names, Kind::tuple, 8, [&](std::uint64_t i, Address field_name) {
    TextBuffer<32> text;
    read_text(objects.memory(), objects.layout(), field_name, text);
    put(name, i ? ", ('" : "('");
    put(name, text.view());
    put(name, "', '");
    const Address field = objects.entry(dtype.fields, text.view());
    const auto of = dtype_at(objects, objects.pointer(field + objects.layout().objects.tuple.items));
    if (!of || !put_simple(name, of->head, of->bytes, true)) put(name, "?");
    put(name, "')");
    return true;
  });
  put(name, "]");
}

void follow_bases(const Objects& objects, Address base, ArrayFacts& a) {
  while (base.value && a.base_count < most_bases) {
    const auto* found = objects.type_of(base);
    if (!found) return;
    const TypeInfo type = *found;
    BaseFacts& step = a.base[a.base_count++];
    step = {.object = base, .type = {}, .data = {}, .bytes = {}};
    step.type.size = std::min(type.name().size(), step.type.bytes.size());
    std::ranges::copy_n(type.name().begin(), static_cast<std::ptrdiff_t>(step.type.size), step.type.bytes.begin());
    if (type.kind == Kind::ndarray) {
      ArrayFacts inner;
      const auto head = objects.memory().read_value<ArrayHead>(base + array_head);
      if (!head) return;
      inner.base_count = most_bases;  // one level at a time
      if (read_numpy(objects, base, inner)) {
        step.data = inner.data;
        step.bytes = inner.bytes;
      }
      step.is_view = (head->flags & owns_data) == 0;
      if (!step.is_view) return;
      base = Address{head->base};
      continue;
    }
    // An object that only hands on another one's memory, as as_strided's does, says so and keeps that one as `base`.
    if (type.kind == Kind::instance && objects.attribute(base, "__array_interface__").value) {
      base = objects.attribute(base, "base");
      continue;
    }
    ArrayFacts inner;
    if (read_buffer(objects, base, type, inner)) {
      step.data = inner.data;
      step.bytes = inner.bytes;
    }
    return;
  }
}

}  // namespace

bool read_dtype(const Objects& objects, Address at, TextBuffer<160>& name, std::uint64_t& item_bytes, char& kind) {
  const auto dtype = dtype_at(objects, at);
  if (!dtype) return false;
  item_bytes = dtype->bytes;
  kind = dtype->head.kind;
  name.size = 0;
  const auto* names = dtype->names.value ? objects.type_of(dtype->names) : nullptr;
  if (names && names->kind == Kind::tuple) {
    put_fields(objects, *dtype, name);
    return true;
  }
  return put_simple(name, dtype->head, dtype->bytes, false);
}

bool read_numpy(const Objects& objects, Address object, ArrayFacts& a) {
  const auto head = objects.memory().read_value<ArrayHead>(object + array_head);
  if (!head || head->dimensions < 0 || head->dimensions > static_cast<int>(most_dimensions)) return false;
  a.kind = ArrayKind::numpy;
  a.object = object;
  a.dimensions = static_cast<std::size_t>(head->dimensions);
  const auto list = [&](std::uint64_t at, std::array<std::int64_t, most_dimensions>& into) {
    const auto bytes = std::as_writable_bytes(std::span(into).first(a.dimensions));
    return objects.memory().read(Address{at}, bytes) == bytes.size();
  };
  if (!list(head->shape, a.shape) || !list(head->strides, a.strides)) return false;
  a.has_strides = true;
  char kind = 0;
  if (!read_dtype(objects, Address{head->dtype}, a.dtype, a.item_bytes, kind)) return false;
  a.bytes = a.item_bytes;
  for (std::size_t i = 0; i < a.dimensions; ++i)
    if (a.shape[i] < 0 || __builtin_mul_overflow(a.bytes, static_cast<std::uint64_t>(a.shape[i]), &a.bytes)) return false;
  a.data = Address{head->data};
  a.owns_memory = (head->flags & owns_data) != 0;
  a.writable = (head->flags & is_writable) != 0;
  a.holds_objects = kind == 'O';
  if (*a.owns_memory) {
    a.memory_start = a.data;
    a.memory_bytes = a.bytes;
  } else if (a.base_count == 0) {
    follow_bases(objects, Address{head->base}, a);
    // The memory is that of the last object of the chain that has some. A view in between may claim more than there is.
    for (std::size_t i = 0; i < a.base_count; ++i)
      if (a.base[i].data && a.base[i].bytes && !a.base[i].is_view) {
        a.memory_start = a.base[i].data;
        a.memory_bytes = a.base[i].bytes;
      }
  }
  return true;
}

void object_elements(const Objects& objects, const ArrayFacts& a, std::uint64_t most, Visit visit) {
  // Without elements the product of the dimensions was never checked.
  if (!a.holds_objects || !a.data || a.item_bytes != 8 || a.bytes == 0 || a.bytes >> 62) return;
  // Only rows that lie one behind the other are gone through; anything else would need every index.
  std::int64_t expected = 8;
  for (std::size_t i = a.dimensions; i-- > 0; expected *= a.shape[i])
    if (a.shape[i] > 1 && a.strides[i] != expected) return;
  const auto count = std::min(most, a.bytes / 8);
  for (std::uint64_t i = 0; i < count; ++i)
    if (!visit(i, objects.pointer(*a.data + i * 8))) return;
}

bool is_array(Kind kind) {
  switch (kind) {
    case Kind::ndarray:
    case Kind::memoryview:
    case Kind::array:
    case Kind::bytearray:
    case Kind::ctypes:
    case Kind::mmap: return true;
    default: return is_tensor(kind);
  }
}

bool read_array(const Objects& objects, Address object, const TypeInfo& type, ArrayFacts& a) {
  a = {};
  switch (type.kind) {
    case Kind::ndarray: return read_numpy(objects, object, a);
    case Kind::torch_tensor:
    case Kind::eager_tensor:
    case Kind::tensor_variable: return read_tensor_array(objects, object, type, a);
    default: return read_buffer(objects, object, type, a);
  }
}

}  // namespace sigwhy::python
