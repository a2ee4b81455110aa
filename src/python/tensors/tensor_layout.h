// Where torch and TensorFlow keep what we read of a tensor. Nobody publishes these structures; probe/ finds them by
// search in a living interpreter, and they are kept as text: layouts/*.layout, one file per layout that differs,
// and the user's own cache, which `sigwhy learn` writes. One line, one fact:
//
//     layout 1                       the version of these words
//     framework tensorflow
//     release 2.16.1 build-id:acab…  a build that has this layout; `fingerprint:` where its files have no build-id
//     block at 80>280                from the Python object to the structure that the rest is told from
//     rank u8 14                     a number of that width, at that place
//     dims u64 0>8>0 rank 5..254 tag 2   where the dimensions are when rank and tag are these
//     strides u64 72>0 rank 6..64 behind      the same, but after as many dimensions
//     data u64 24>16                 address of the elements; torch: of the storage, `offset` items before them
//     room-bytes, room-items         what the buffer says of its own size
//     device-name 1 cuda, dtype-name 6 float32 4       what a number in `device` or `dtype` means; 4 bytes an item
//     device-object, device-text     TensorFlow: a pointer that is null for the CPU, and its name
//     variable at 24>16>192>48       from the block of a resource to the block of the variable's tensor
//
// A path is offsets with a pointer followed between two of them: 80>280 is what *(object + 80) + 280 is in C.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace sigwhy::python {

enum class TensorKind : std::uint8_t { torch, tensorflow };
inline constexpr std::size_t tensor_kinds = 2;

// A list of fixed room: layouts live in static memory, and in the supervisor nothing may allocate.
template <class T, std::size_t most>
struct ShortList {
  std::array<T, most> items{};
  std::size_t size = 0;

  constexpr bool add(const T& item) {
    if (size == most) return false;
    items[size++] = item;
    return true;
  }
  constexpr const T* begin() const { return items.data(); }
  constexpr const T* end() const { return items.data() + size; }
  constexpr bool empty() const { return size == 0; }
  constexpr const T& operator[](std::size_t i) const { return items[i]; }
};

using TensorPath = ShortList<std::uint16_t, 6>;  // empty: this layout does not have it

struct TensorField {
  TensorPath path;
  std::uint8_t width_bytes = 0;

  constexpr explicit operator bool() const { return width_bytes != 0; }
};

// Sizes or strides: where they are for some ranks and, where the layout has tags, for one tag.
struct TensorExtents {
  TensorField field;
  std::uint16_t lowest_rank = 0;
  std::uint16_t highest_rank = 0;
  std::optional<std::uint8_t> tag;
  bool behind_dims = false;
};

struct NumberedName {
  std::uint16_t number = 0;
  std::uint8_t item_bytes = 0;  // of a dtype; 0: its elements are no plain memory
  ShortList<char, 19> text;

  constexpr std::string_view name() const { return {text.begin(), text.size}; }
};

struct TensorLayout {
  TensorKind kind = TensorKind::torch;
  TensorPath block;
  TensorField rank, numel, dtype, tag, data, offset, room_bytes, room_items, device, device_index;
  TensorPath device_object, device_text, variable;
  ShortList<TensorExtents, 6> dims, strides;
  ShortList<NumberedName, 64> dtypes;
  ShortList<NumberedName, 24> devices;
  ShortList<std::uint64_t, 64> identities;  // hashed, as identity.h has them
};

// Those that sigwhy brings along.
std::span<const TensorLayout> shipped_tensor_layouts();

}  // namespace sigwhy::python
