#include "inputs/npy_header.h"

#include <fmt/format.h>

#include <optional>
#include <vector>

#include "base/count_text.h"
#include "inputs/little_endian.h"
#include "inputs/npy_type.h"
#include "inputs/python_literal.h"
#include "inputs/verdict.h"

namespace sigwhy::inputs {

namespace {

constexpr std::uint64_t magic_bytes = 6, version_bytes = 2;
constexpr std::uint64_t longest_header = npy_start_bytes - 12;  // NumPy itself refuses more than 10,000 unless told otherwise
constexpr std::size_t most_dimensions = 64;

std::string words_of(const std::vector<std::uint64_t>& shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + (shape.size() == 1 ? ",)" : ")");
}

std::optional<std::uint64_t> product(const std::vector<std::uint64_t>& shape, std::uint64_t each) {
  std::uint64_t bytes = each;
  for (const auto size : shape)
    if (__builtin_mul_overflow(bytes, size, &bytes)) return std::nullopt;
  return bytes;
}

std::optional<std::vector<std::uint64_t>> shape_of(const Literal& value) {
  if (!value.is(Literal::Kind::tuple) || value.items.size() > most_dimensions) return std::nullopt;
  std::vector<std::uint64_t> shape;
  for (const auto& size : value.items) {
    if (!size.is(Literal::Kind::number)) return std::nullopt;
    shape.push_back(size.number);
  }
  return shape;
}

// NumPy takes a dict with these three keys and no other.
std::optional<Checked> objection_to(const Literal& dict, std::uint64_t header_at) {
  if (dict.is(Literal::Kind::wrong)) return broken(header_at + dict.at, "header", dict.text);
  if (!dict.is(Literal::Kind::dict)) return broken(header_at + dict.at, "header", "it is no dict");
  for (std::size_t i = 0; i < dict.items.size(); i += 2) {
    const auto& key = dict.items[i];
    if (key.text != "descr" && key.text != "fortran_order" && key.text != "shape")
      return broken(header_at + key.at, "header", fmt::format("{} is no key of it", shown(key.text)));
  }
  for (const char* key : {"descr", "fortran_order", "shape"})
    if (!dict.value_of(key)) return broken(header_at + dict.at, "header", fmt::format("it lacks {}", key));
  const auto& order = *dict.value_of("fortran_order");
  if (!order.is(Literal::Kind::word) || order.text == "None")
    return broken(header_at + order.at, "header, fortran_order", "it is neither True nor False");
  return std::nullopt;
}

// `bytes`: of the file; the data begin behind the header.
Checked judge_data(std::string_view header, std::uint64_t header_at, std::uint64_t bytes) {
  const auto dict = read_literal(header);
  if (auto objection = objection_to(dict, header_at)) return *objection;
  const auto& place = *dict.value_of("shape");
  const auto shape = shape_of(place);
  if (!shape) return broken(header_at + place.at, "header, shape", "it is no tuple of sizes");
  const auto read = read_npy_type(*dict.value_of("descr"));
  if (!read.type) return broken(header_at + read.at, "header, descr", read.what);
  const std::uint64_t data = bytes - header_at - header.size();
  auto whole = sound(fmt::format("{} {}", read.type->name, words_of(*shape)));
  if (read.type->holds_objects) {
    whole.remarks.push_back("it holds Python objects as a pickle, which was not looked at");
    return whole;
  }
  const auto wanted = product(*shape, read.type->bytes);
  if (!wanted) return broken(header_at + place.at, "header, shape", fmt::format("{} is more than can be addressed", words_of(*shape)));
  if (data < *wanted)
    return broken(bytes, "data", fmt::format("it ends after {} of {} of {}", grouped_digits(data), counted(*wanted, "byte"), whole.holds));
  if (data > *wanted) whole.remarks.push_back(fmt::format("{} follow the array; NumPy ignores them", counted(data - *wanted, "byte")));
  return whole;
}

}  // namespace

Checked check_npy(std::uint64_t bytes, const ReadAt& read) {
  const auto start = read(0, magic_bytes + version_bytes + 4);
  if (!start.starts_with(npy_magic)) {
    if (npy_magic.starts_with(start)) return broken(start.size(), "magic", fmt::format("the file ends after {} bytes", start.size()));
    return broken(0, "magic", "it does not begin with \\x93NUMPY");
  }
  if (start.size() < magic_bytes + version_bytes) return broken(start.size(), "version", "the file ends here");
  const int major = static_cast<unsigned char>(start[magic_bytes]);
  if (major < 1 || major > 3) return broken(magic_bytes, "version", fmt::format("version {} does not exist", major));
  const std::uint64_t length_bytes = major == 1 ? 2 : 4, header_at = magic_bytes + version_bytes + length_bytes;
  if (start.size() < header_at) return broken(start.size(), "header length", "the file ends here");
  const auto length = little_endian(std::string_view(start).substr(magic_bytes + version_bytes, length_bytes));
  if (length > longest_header)
    return broken(magic_bytes + version_bytes, "header length", fmt::format("{} bytes are too many for a header", length));
  const auto header = read(header_at, length);
  if (header.size() < length)
    return broken(header_at + header.size(), "header", fmt::format("it ends after {} of {} bytes", header.size(), length));
  return judge_data(header, header_at, bytes);
}

}  // namespace sigwhy::inputs
