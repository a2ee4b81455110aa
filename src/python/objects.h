// CPython objects read through memory: what type, how long, which elements and attributes. Allocates nothing, so
// that the supervisor can look while the process is stopped. Every answer may be absent: an object may be half made,
// freed or overwritten, and a lying one gives less, never a loop.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/function_ref.h"
#include "python/layout.h"
#include "target/memory.h"

namespace sigwhy::python {

class TensorLayouts;

// What an object is to us, by its type or a base of it.
enum class Kind : std::uint8_t {
  none, boolean, integer, floating, text, wide_text, bytes, bytearray, list, tuple, dict, set, exception, type,
  module, callable, cell, ndarray, numpy_scalar, dtype, eager_tensor, tensor_variable, torch_tensor,
  memoryview, array, ctypes, mmap,
  instance,
};

constexpr bool is_tensor(Kind kind) {
  return kind == Kind::torch_tensor || kind == Kind::eager_tensor || kind == Kind::tensor_variable;
}

struct TypeInfo {
  Address at;
  Kind kind = Kind::instance;
  std::uint64_t flags = 0;
  std::int64_t basic_size = 0;
  std::int64_t dict_offset = 0;
  std::array<char, 56> text{};  // its name without the module
  std::uint8_t text_size = 0;
  std::string_view name() const { return {text.data(), text_size}; }
};

using Visit = FunctionRef<bool(std::uint64_t index, Address element)>;  // false: enough
using VisitEntry = FunctionRef<bool(Address key, Address value)>;

class Objects {
 public:
  // `tensors` says how torch and TensorFlow lay theirs out; without it they are objects like others.
  Objects(const Memory& memory, const Layout& layout, TensorLayouts* tensors = nullptr)
      : memory_(memory), layout_(layout), tensors_(tensors) {}

  const Memory& memory() const { return memory_; }
  const Layout& layout() const { return layout_; }
  TensorLayouts* tensors() const { return tensors_; }

  Address pointer(Address at) const { return {memory_.read_value<std::uint64_t>(at).value_or(0)}; }

  // Null: nothing that looks like an object lies there. Valid until the next call.
  const TypeInfo* type_of(Address object) const;
  const TypeInfo* type_at(Address type) const;

  std::optional<std::int64_t> integer(Address object) const;  // absent too where it needs more than 64 bits
  std::optional<double> floating(Address object) const;
  std::optional<std::uint64_t> length(Address object, Kind kind) const;
  bool text_is(Address object, std::string_view expected) const;

  // Lists, tuples and sets. At most `most` elements.
  void elements(Address object, Kind kind, std::uint64_t most, Visit visit) const;
  void entries(Address dict, std::uint64_t most, VisitEntry visit) const;
  // What an instance keeps in its dictionary or in place of one; not its slots.
  void attributes(Address object, const TypeInfo& type, std::uint64_t most, VisitEntry visit) const;

  Address entry(Address dict, std::string_view key) const;
  Address attribute(Address object, std::string_view name) const;

 private:
  std::optional<TypeInfo> read_type(Address type) const;
  Kind kind_of(Address type, const TypeInfo& info) const;
  void old_entries(Address dict, std::uint64_t most, VisitEntry visit) const;
  void key_entries(Address keys, Address values, std::uint64_t most, VisitEntry visit) const;
  void set_elements(Address set, std::uint64_t most, Visit visit) const;

  static constexpr std::size_t remembered_types = 256;

  const Memory& memory_;
  const Layout& layout_;
  TensorLayouts* tensors_;
  mutable std::array<TypeInfo, remembered_types> types_{};
};

}  // namespace sigwhy::python
