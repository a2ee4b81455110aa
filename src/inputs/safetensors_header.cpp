#include "inputs/safetensors_header.h"

#include <fmt/format.h>
#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "base/count_text.h"
#include "inputs/verdict.h"

namespace sigwhy::inputs {

namespace {

struct Type {
  std::string_view name;
  std::uint64_t bits;
};

constexpr Type types[] = {{"BOOL", 8}, {"U8", 8}, {"I8", 8}, {"F8_E5M2", 8}, {"F8_E4M3", 8}, {"F8_E8M0", 8}, {"I16", 16},
                          {"U16", 16}, {"F16", 16}, {"BF16", 16}, {"I32", 32}, {"U32", 32}, {"F32", 32}, {"C64", 64},
                          {"F64", 64}, {"I64", 64}, {"U64", 64}, {"F4", 4}, {"F6_E2M3", 6}, {"F6_E3M2", 6}};

constexpr std::size_t most_dimensions = 1000;

Flaw flaw_at(std::uint64_t offset, std::string where, std::string what) {
  return {.offset = offset, .where = std::move(where), .what = std::move(what)};
}

// Where the text or number begins that ends before `end`.
std::uint64_t token_start(std::string_view text, std::uint64_t end) {
  auto at = end;
  if (at > 0 && text[at - 1] == '"') {
    for (at -= 1; at > 0;) {
      const auto quote = text.rfind('"', at - 1);
      if (quote == std::string_view::npos) return 0;
      const auto before = text.find_last_not_of('\\', quote == 0 ? 0 : quote - 1);
      const auto backslashes = quote == 0 ? 0 : quote - 1 - (before == std::string_view::npos ? quote - 1 : before);
      if (backslashes % 2 == 0) return quote;
      at = quote;
    }
    return 0;
  }
  while (at > 0 && std::string_view(",:[]{} \t\r\n\"").find(text[at - 1]) == std::string_view::npos) --at;
  return at;
}

// Depth 1 are the tensors' names, depth 2 their keys. rapidjson tells what it read, not where: its stream stands behind
// a text or a number, and before the bracket of a list or an object.
class Handler : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, Handler> {
 public:
  Handler(std::string_view text, const rapidjson::MemoryStream& stream, std::uint64_t header_at, std::vector<SafeTensor>& tensors)
      : text_(text), stream_(stream), header_at_(header_at), tensors_(tensors) {}

  std::optional<Flaw> flaw;

  bool Default() { return in_metadata() || wrong("a value of this kind has no meaning here"); }
  bool StartObject() { return ++depth_ <= 2 || wrong_at(here(), "it is nested too deep"); }
  bool EndObject(rapidjson::SizeType) { return --depth_ != 1 || in_metadata() || end_tensor(); }
  bool StartArray() {
    if (in_metadata() || depth_ != 2 || in_list_ || (key_ != "shape" && key_ != "data_offsets")) return wrong_at(here(), "a list has no meaning here");
    in_list_ = true;
    numbers_.clear();
    list_at_ = here();
    return true;
  }
  bool EndArray(rapidjson::SizeType) {
    in_list_ = false;
    if (key_ == "shape") {
      shape_ = numbers_;
      shape_at_ = list_at_;
      return true;
    }
    if (numbers_.size() != 2) return wrong_at(list_at_, "data_offsets are not two numbers");
    offsets_ = numbers_;
    offsets_at_ = list_at_;
    return true;
  }
  bool Uint(unsigned n) { return Uint64(n); }
  bool Uint64(std::uint64_t n) {
    if (!in_list_) return wrong("a number has no meaning here");
    numbers_.push_back(n);
    return numbers_.size() <= most_dimensions || wrong("there are too many numbers");
  }
  bool String(const char* text, rapidjson::SizeType size, bool) {
    if (in_metadata()) return true;
    if (depth_ != 2 || key_ != "dtype" || in_list_) return wrong("a text has no meaning here");
    const std::string_view name(text, size);
    const auto type = std::ranges::find(types, name, &Type::name);
    if (type == std::end(types)) return wrong_at(value_at(), fmt::format("{} is no dtype", shown(name)));
    bits_ = type->bits;
    return true;
  }
  bool Key(const char* text, rapidjson::SizeType size, bool) {
    key_.assign(text, size);
    if (depth_ != 1) return true;
    name_ = key_;
    name_at_ = value_at();
    bits_.reset();
    shape_.reset();
    offsets_.reset();
    return names_.insert(name_).second || wrong_at(name_at_, "the name stands twice");
  }

 private:
  std::uint64_t here() const { return header_at_ + stream_.Tell(); }
  bool in_metadata() const { return depth_ >= 1 && name_ == "__metadata__"; }
  std::uint64_t value_at() const { return header_at_ + token_start(text_, stream_.Tell()); }
  bool wrong(std::string what) { return wrong_at(value_at(), std::move(what)); }
  bool wrong_at(std::uint64_t offset, std::string what) {
    flaw = flaw_at(offset, name_.empty() ? "header" : fmt::format("header, tensor {}", shown(name_)), std::move(what));
    return false;
  }

  bool end_tensor() {
    if (!bits_ || !shape_ || !offsets_) return wrong_at(name_at_, "it lacks dtype, shape or data_offsets");
    std::uint64_t bits = *bits_;
    for (const auto size : *shape_)
      if (__builtin_mul_overflow(bits, size, &bits)) return wrong_at(shape_at_, "the shape is more than can be addressed");
    const auto begin = (*offsets_)[0], end = (*offsets_)[1];
    if (begin > end) return wrong_at(offsets_at_, "data_offsets end before they begin");
    if (bits % 8 != 0 || end - begin != bits / 8)
      return wrong_at(offsets_at_, fmt::format("data_offsets hold {}, dtype and shape make {}", counted(end - begin, "byte"), grouped_digits(bits / 8)));
    tensors_.push_back({name_, begin, end, offsets_at_});
    return true;
  }

  std::string_view text_;
  const rapidjson::MemoryStream& stream_;
  std::uint64_t header_at_;
  std::vector<SafeTensor>& tensors_;
  std::set<std::string> names_;
  int depth_ = 0;
  bool in_list_ = false;
  std::string name_, key_;
  std::uint64_t name_at_ = 0, list_at_ = 0, shape_at_ = 0, offsets_at_ = 0;
  std::vector<std::uint64_t> numbers_;
  std::optional<std::uint64_t> bits_;
  std::optional<std::vector<std::uint64_t>> shape_, offsets_;
};

std::optional<Flaw> flaw_of_places(const SafeTensorsHeader& header) {
  std::uint64_t expected = 0;
  for (const auto& tensor : header.tensors) {
    if (tensor.begin != expected)
      return flaw_at(tensor.offsets_at, fmt::format("header, tensor {}", shown(tensor.name)),
                     fmt::format("its data begin at {}, those before it end at {}: {}", grouped_digits(tensor.begin), grouped_digits(expected),
                                 tensor.begin < expected ? "they overlap" : "a hole lies between"));
    expected = tensor.end;
  }
  return std::nullopt;
}

}  // namespace

std::string SafeTensorsHeader::tensor_at(std::uint64_t data_offset) const {
  for (const auto& tensor : tensors)
    if (data_offset < tensor.end) return tensor.name;
  return "";
}

SafeTensorsHeader read_safetensors_header(const std::string& text, std::uint64_t header_at) {
  SafeTensorsHeader header;
  if (const auto zero = text.find('\0'); zero != std::string::npos) {
    header.flaw = flaw_at(header_at + zero, "header", "a zero byte is no JSON");
    return header;
  }
  rapidjson::Reader reader;
  // Not a StringStream: its check of UTF-8 reads on behind the end of a text that breaks off within a character.
  rapidjson::MemoryStream stream(text.data(), text.size());
  Handler handler(text, stream, header_at, header.tensors);
  const auto result = reader.Parse<rapidjson::kParseIterativeFlag | rapidjson::kParseValidateEncodingFlag>(stream, handler);
  if (handler.flaw) header.flaw = handler.flaw;
  else if (result.IsError()) header.flaw = flaw_at(header_at + result.Offset(), "header", rapidjson::GetParseError_En(result.Code()));
  else if (!text.starts_with('{')) header.flaw = flaw_at(header_at, "header", "it does not begin with {");
  if (header.flaw) return header;
  std::ranges::sort(header.tensors, {}, [](const SafeTensor& t) { return std::pair(t.begin, t.end); });
  header.flaw = flaw_of_places(header);
  header.data_bytes = header.tensors.empty() ? 0 : header.tensors.back().end;
  return header;
}

}  // namespace sigwhy::inputs
