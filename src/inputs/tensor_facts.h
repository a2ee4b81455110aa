// What TensorFlow's messages say of a tensor: how many bytes its values need.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include "inputs/protobuf_walk.h"

namespace sigwhy::inputs {

inline constexpr std::uint64_t dt_string = 7;

// By DataType; 0: texts, resources, packed or unknown ones, whose values have no fixed size.
std::uint64_t tensorflow_item_bytes(std::uint64_t dtype);

struct Elements {
  bool known = true;                   // false: a size is left open
  std::optional<std::uint64_t> count;  // absent: more than can be counted, or a negative size
};
// Of a TensorShapeProto's bytes.
Elements elements_of_shape(PagedBytes& bytes, std::uint64_t begin, std::uint64_t end);

// A TensorProto whose tensor_content has not the size that dtype and shape give: loading it fails.
std::optional<protobuf::Wrong> judge_tensor(PagedBytes& bytes, std::uint64_t begin, std::uint64_t end);

}  // namespace sigwhy::inputs
