// Arrays: objects that stand for a block of memory with an element type and a shape. NumPy's are read from its
// (published, stable) structure; tensors by layouts that were learned (tensors/); memoryview, bytes, bytearray, array.array, ctypes objects and mmap from CPython's.
// Allocates nothing.
#pragma once
#include <array>
#include <cstdint>
#include <optional>

#include "evidence/python.h"
#include "python/objects.h"
#include "python/texts.h"

namespace sigwhy::python {

inline constexpr std::size_t most_dimensions = 32;
inline constexpr std::size_t most_bases = 4;

struct BaseFacts {
  Address object;
  TextBuffer<56> type;
  std::optional<Address> data;
  std::optional<std::uint64_t> bytes;
  bool is_view = false;  // an array without memory of its own
};

struct ArrayFacts {
  ArrayKind kind = ArrayKind::numpy;
  Address object;
  TextBuffer<160> dtype;
  std::uint64_t item_bytes = 0;
  std::size_t dimensions = 0;
  std::array<std::int64_t, most_dimensions> shape;
  std::array<std::int64_t, most_dimensions> strides;
  bool has_strides = false;
  std::optional<Address> data;
  std::uint64_t bytes = 0;
  std::optional<Address> memory_start;
  std::optional<std::uint64_t> memory_bytes;
  std::optional<bool> owns_memory;
  std::optional<bool> writable;
  std::size_t base_count = 0;
  std::array<BaseFacts, most_bases> base;
  std::optional<Address> points_to;  // of a ctypes pointer
  TextBuffer<96> label;              // what the framework calls it: "dense/kernel"
  TextBuffer<24> device;
  bool holds_objects = false;  // its elements are references to Python objects
};

// Kinds that read_array() reads; bytes too, but those are text more often than data.
bool is_array(Kind kind);

// False where the object is no array, or what it says of itself does not fit together.
bool read_array(const Objects& objects, Address object, const TypeInfo& type, ArrayFacts& into);

// A NumPy scalar's or array's element type: "float32", "object", "[('x', '<f4')]".
bool read_dtype(const Objects& objects, Address dtype, TextBuffer<160>& name, std::uint64_t& item_bytes, char& kind);

// Elements of an object array, in memory order.
void object_elements(const Objects& objects, const ArrayFacts& array, std::uint64_t most, Visit visit);

// ---- for the files that read one kind each
bool read_numpy(const Objects& objects, Address object, ArrayFacts& into);
bool read_buffer(const Objects& objects, Address object, const TypeInfo& type, ArrayFacts& into);
bool read_tensor_array(const Objects& objects, Address object, const TypeInfo& type, ArrayFacts& into);

inline void put(TextBuffer<160>& text, std::string_view more) {
  for (const char c : more)
    if (text.size < text.bytes.size()) text.bytes[text.size++] = c;
}

}  // namespace sigwhy::python
