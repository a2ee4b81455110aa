// Protobuf on the wire: fields one after another, each a tag (number and wire type) and a value; a message inside a
// message is a length and its fields. Nothing marks a field's start, so one wrong length makes nonsense of what
// follows, and the first field that its schema or its parent's end does not allow is as near as one can come.
//
// protozero, which the project has, throws without saying where; here the place is the answer, so the walk is our own.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "evidence/input.h"
#include "inputs/paged_bytes.h"

namespace sigwhy::inputs::protobuf {

enum class Kind { varint, fixed32, fixed64, text, bytes, message };
enum class Many { one, list, map };

struct Field {
  std::string_view message;
  unsigned number;
  Kind kind;
  Many many;
  std::string_view of;  // the message it holds
  std::string_view name;
};

using Schema = std::span<const Field>;  // sorted by message

// TensorFlow's, from SavedModel and the entries of a checkpoint down.
Schema tensorflow_schema();

// More than this no protobuf reads.
inline constexpr std::uint64_t most_bytes = 0x7fffffff;

struct Piece {
  std::uint64_t at = 0;  // of its tag
  unsigned number = 0, wire = 0;
  std::uint64_t value = 0;           // of a varint, fixed32 or fixed64
  std::uint64_t begin = 0, end = 0;  // of the value's bytes, behind a length
};

struct Wrong {
  std::uint64_t offset = 0;
  std::string what;
  bool cut = false;  // the file ends inside the field
};

// The fields of one message, in file order.
class Fields {
 public:
  Fields(PagedBytes& bytes, std::uint64_t begin, std::uint64_t end) : bytes_(bytes), at_(begin), end_(end) {}
  // Absent: the message's end, or what wrong() says.
  std::optional<Piece> next();
  const std::optional<Wrong>& wrong() const { return wrong_; }

 private:
  std::nullopt_t bad(std::uint64_t offset, std::string what);
  std::nullopt_t cut();
  std::optional<std::uint64_t> varint(std::uint64_t tag_at, std::string_view of_what);
  bool skip_group(const Piece& start);
  std::optional<Piece> value_of(Piece piece);

  PagedBytes& bytes_;
  std::uint64_t at_, end_;
  std::optional<Wrong> wrong_;
};

struct Walked {
  std::optional<Checked> fault;
  std::uint64_t unknown_fields = 0;
};

// Asked for every message, when its fields are walked: what is wrong with it as a whole, if anything is.
using Judge = std::function<std::optional<Wrong>(std::string_view message, std::uint64_t begin, std::uint64_t end)>;

// The file's bytes from `begin` to `end` as one message. An `end` behind the file's is one that a length states.
Walked walk(PagedBytes& bytes, std::string_view message, std::uint64_t begin, std::uint64_t end, const Judge& judge);

}  // namespace sigwhy::inputs::protobuf
