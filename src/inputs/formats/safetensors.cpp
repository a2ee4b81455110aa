// safetensors: the header's length (8 bytes), the header, a JSON object with dtype, shape and data_offsets for each
// tensor, then the tensors, one behind the other without holes up to the very end of the file. No checksum.
#include <fmt/format.h>

#include "base/count_text.h"
#include "inputs/format.h"
#include "inputs/little_endian.h"
#include "inputs/safetensors_header.h"
#include "inputs/verdict.h"

namespace sigwhy::inputs::formats {

namespace {

constexpr std::uint64_t length_bytes = 8;
constexpr std::uint64_t longest_header = 100'000'000;  // the library's own limit

Likeness likeness(std::string_view path, std::string_view first) {
  const bool fits = first.size() > length_bytes && little_endian(first.substr(0, length_bytes)) <= longest_header && first[length_bytes] == '{';
  if (fits && (path.ends_with(".safetensors") || first.substr(0, 4096).find("\"data_offsets\"") != std::string_view::npos)) return Likeness::by_content;
  return path.ends_with(".safetensors") ? Likeness::by_name : Likeness::none;
}

std::string header_of(const FileBytes& file, std::uint64_t length) {
  std::string header;
  while (header.size() < length) {
    const auto part = file.text(length_bytes + header.size(), length - header.size());
    if (part.empty()) break;
    header += part;
  }
  return header;
}

Checked check(const FileBytes& file) {
  const auto start = file.text(0, length_bytes);
  if (start.size() < length_bytes) return broken(start.size(), "header length", fmt::format("it ends after {} of 8 bytes", start.size()));
  const auto length = little_endian(start);
  if (length > longest_header)
    return broken(0, "header length", fmt::format("{} bytes are more than a header can have", grouped_digits(length)));
  const auto left = file.bytes() - length_bytes;
  if (length > left)
    return broken(file.bytes(), "header", fmt::format("it ends after {} of {}", grouped_digits(left), counted(length, "byte")));
  const auto header = read_safetensors_header(header_of(file, length), length_bytes);
  if (header.flaw) return {.soundness = Soundness::broken, .flaw = header.flaw};
  const auto data = left - length;
  if (data < header.data_bytes)
    return broken(file.bytes(), "data", fmt::format("it ends after {} of {}, in tensor {}", grouped_digits(data), counted(header.data_bytes, "byte"),
                                                    shown(header.tensor_at(data))));
  if (data > header.data_bytes)
    return broken(length_bytes + length + header.data_bytes, "data",
                  fmt::format("{} follow the last tensor", counted(data - header.data_bytes, "byte")));
  return sound(counted(header.tensors.size(), "tensor"));
}

}  // namespace

extern const Format safetensors{.title = "safetensors", .likeness = likeness, .check = check};

}  // namespace sigwhy::inputs::formats
