// A dataset's layout message: its numbers lie in the header itself, in one piece, or in chunks that an index finds.
#include <fmt/format.h>

#include "inputs/hdf5_walk.h"

namespace sigwhy::inputs {

namespace {

enum LayoutClass : unsigned { l_compact = 0, l_contiguous = 1, l_chunked = 2, l_virtual = 3 };
enum ChunkIndex : unsigned { i_single = 1, i_implicit = 2, i_fixed_array = 3, i_extensible_array = 4, i_tree = 5 };
constexpr std::uint64_t nowhere = ~std::uint64_t{0};
constexpr unsigned chunk_tree = 1, most_dimensions = 33;

}  // namespace

bool Hdf5Walk::layout(const Object& object, const Message& m, Dataset& dataset) {
  ++datasets_;
  const unsigned version = bytes_.byte(m.begin);
  const auto where = object.name + ", layout";
  if (version < 1 || version > 5) return bad(m.begin, where, fmt::format("version {} does not exist", version));
  if (version < 3) return true;  // before 2003
  const unsigned kind = bytes_.byte(m.begin + 1);
  if (kind > l_virtual) return bad(m.begin + 1, where, fmt::format("class {} does not exist", kind));
  const auto data = m.begin + 2, end = m.begin + m.bytes;
  if (kind == l_compact) {
    const auto size = bytes_.number(data, 2);
    return size <= end - data - 2 || bad(data, where, fmt::format("its {} bytes are more than the message", size));
  }
  if (kind == l_contiguous) {
    if (data + address_bytes_ + length_bytes_ > end) return bad(m.at, where, "it is too short");
    const auto at = address_at(data), size = length_at(data + address_bytes_);
    if (at == nowhere) return true;  // nothing was written yet
    dataset.contiguous_at = data + address_bytes_;
    dataset.contiguous_bytes = size;
    return !outside(data, where, at, size);
  }
  if (kind == l_virtual) return true;
  if (version >= 4) return chunk_index(object, m, data);
  const unsigned dimensions = bytes_.byte(data);
  if (dimensions == 0 || dimensions > most_dimensions)
    return bad(data, where, fmt::format("{} dimensions cannot be", dimensions));
  if (data + 1 + address_bytes_ > end) return bad(m.at, where, "it is too short");
  const auto index = address_at(data + 1);
  if (index == nowhere) return true;
  return tree(object.name + ", chunks", data + 1, index, chunk_tree, 8 + 8 * dimensions, {}, object, 0, 0);
}

// Flags, number of dimensions, bytes of a size, the sizes, the index's kind, what that kind needs, the index's address.
bool Hdf5Walk::chunk_index(const Object& object, const Message& m, std::uint64_t data) {
  const auto where = object.name + ", layout", chunks = object.name + ", chunks";
  const unsigned flags = bytes_.byte(data), dimensions = bytes_.byte(data + 1), width = bytes_.byte(data + 2);
  if (dimensions == 0 || dimensions > most_dimensions)
    return bad(data + 1, where, fmt::format("{} dimensions cannot be", dimensions));
  if (width == 0 || width > 8) return bad(data + 2, where, fmt::format("sizes of {} bytes cannot be", width));
  const auto kind_at = data + 3 + std::uint64_t{dimensions} * width;
  const unsigned kind = bytes_.byte(kind_at);
  const bool filtered = flags & 2;
  const unsigned extra[] = {0, filtered ? length_bytes_ + 4 : 0, 0, 1, 5, 6};
  if (kind == 0 || kind > i_tree) return bad(kind_at, where, fmt::format("an index of kind {} does not exist", kind));
  const auto place = kind_at + 1 + extra[kind];
  if (place + address_bytes_ > m.begin + m.bytes) return bad(m.at, where, "it is too short");
  const auto index = address_at(place);
  if (index == nowhere) return true;
  if (kind == i_single) return !outside(place, chunks, index, filtered ? length_at(kind_at + 1) : 1);
  if (kind == i_implicit) return !outside(place, chunks, index, 1);
  indexed_ = true;
  if (kind == i_fixed_array)
    return header_with_checksum(chunks, place, index, "FAHD", 8 + length_bytes_ + address_bytes_);
  if (kind == i_extensible_array)
    return header_with_checksum(chunks, place, index, "EAHD", 12 + 6 * length_bytes_ + address_bytes_);
  return header_with_checksum(chunks, place, index, "BTHD", 16 + address_bytes_ + 2 + length_bytes_);
}

}  // namespace sigwhy::inputs
