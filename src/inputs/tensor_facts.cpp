#include "inputs/tensor_facts.h"

#include <fmt/format.h>

namespace sigwhy::inputs {

using protobuf::Fields;

namespace {

// Field numbers of framework/tensor.proto and tensor_shape.proto.
enum TensorField : unsigned { t_dtype = 1, t_shape = 2, t_content = 4 };
enum ShapeField : unsigned { s_dim = 2, s_unknown_rank = 3 };
enum DimField : unsigned { d_size = 1 };

}  // namespace

std::uint64_t tensorflow_item_bytes(std::uint64_t dtype) {
  constexpr std::uint64_t bytes[] = {0, 4, 8, 4, 1, 2, 1, 0, 8, 8, 1, 1, 1, 4, 2, 2, 2, 2, 16, 2, 0, 0, 4, 8};
  return dtype < std::size(bytes) ? bytes[dtype] : 0;
}

Elements elements_of_shape(PagedBytes& bytes, std::uint64_t begin, std::uint64_t end) {
  Elements all{.known = true, .count = 1};
  Fields shape(bytes, begin, end);
  while (const auto field = shape.next()) {
    if (field->number == s_unknown_rank && field->value) all.known = false;
    if (field->number != s_dim || field->end > end) continue;
    std::int64_t size = 0;
    Fields dim(bytes, field->begin, field->end);
    while (const auto part = dim.next())
      if (part->number == d_size) size = static_cast<std::int64_t>(part->value);
    std::uint64_t count = 0;
    const bool fits =
        all.count && size >= 0 && !__builtin_mul_overflow(*all.count, static_cast<std::uint64_t>(size), &count);
    if (size == -1) all.known = false;
    all.count = fits ? std::optional(count) : std::nullopt;
  }
  return all;
}

std::optional<protobuf::Wrong> judge_tensor(PagedBytes& bytes, std::uint64_t begin, std::uint64_t end) {
  std::uint64_t dtype = 0;
  Elements elements{.known = true, .count = 1};
  std::optional<protobuf::Piece> content;
  Fields tensor(bytes, begin, end);
  while (const auto field = tensor.next()) {
    if (field->number == t_dtype) dtype = field->value;
    if (field->number == t_shape) elements = elements_of_shape(bytes, field->begin, field->end);
    if (field->number == t_content) content = field;
  }
  const auto each = tensorflow_item_bytes(dtype);
  if (!content || content->value == 0 || each == 0 || !elements.known) return {};
  std::uint64_t wanted = 0;
  if (!elements.count || __builtin_mul_overflow(*elements.count, each, &wanted))
    return protobuf::Wrong{content->at, "its shape has more elements than can be addressed, or a negative size"};
  if (wanted == content->value) return {};
  return protobuf::Wrong{content->at,
                         fmt::format("tensor_content has {} bytes, dtype and shape need {}", content->value, wanted)};
}

}  // namespace sigwhy::inputs
