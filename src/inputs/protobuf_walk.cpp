#include "inputs/protobuf_walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "inputs/verdict.h"

namespace sigwhy::inputs::protobuf {

namespace {

constexpr int deepest = 100;  // as protobuf itself
constexpr std::uint64_t longest_key_shown = 80;

constexpr Field tensorflow_fields[] = {
#include "inputs/tensorflow_messages.inc"
};

struct Step {
  const Step* up = nullptr;
  std::string name;
};

std::string path_of(const Step& last) {
  std::string path;
  for (const Step* step = &last; step; step = step->up)
    if (!step->name.empty()) path = path.empty() ? step->name : step->name + "." + path;
  return path;
}

unsigned wire_of(Kind kind) {
  switch (kind) {
    case Kind::varint: return 0;
    case Kind::fixed64: return 1;
    case Kind::fixed32: return 5;
    default: return 2;
  }
}

std::string_view words_of(Kind kind) {
  switch (kind) {
    case Kind::varint: return "a number";
    case Kind::fixed64: return "8 bytes";
    case Kind::fixed32: return "4 bytes";
    case Kind::text: return "a text";
    case Kind::bytes: return "bytes";
    default: return "a message";
  }
}

// How many bytes the UTF-8 character at `at` has; 0: it is none.
unsigned character_bytes(PagedBytes& bytes, std::uint64_t at, std::uint64_t end) {
  const unsigned first = bytes.byte(at);
  if (first < 0x80) return 1;
  const unsigned size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || at + size > end) return 0;
  unsigned code = first & (0xff >> (size + 1));
  for (unsigned i = 1; i < size; ++i) {
    const unsigned next = bytes.byte(at + i);
    if ((next & 0xc0) != 0x80) return 0;
    code = code << 6 | (next & 0x3f);
  }
  const bool overlong = (size == 3 && code < 0x800) || (size == 4 && code < 0x10000);
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  return overlong || surrogate || code > 0x10ffff ? 0 : size;
}

class Walk {
 public:
  Walk(PagedBytes& bytes, const Judge& judge, std::uint64_t end) : bytes_(bytes), judge_(judge), end_(end) {}

  Walked run(std::string_view name, std::uint64_t begin) {
    message(name, begin, end_, 0, {});
    return {.fault = std::move(fault_), .unknown_fields = unknown_fields_};
  }

 private:
  struct Overlong {
    std::uint64_t at, missing;
    std::string path;
  };

  bool bad(const Wrong& wrong, const Step& step) {
    const auto path = path_of(step);
    if (!overlong_) fault_ = broken(wrong.offset, path, wrong.what);
    else if (wrong.cut)
      fault_ = broken(wrong.offset, path,
                      fmt::format("the file ends here; {}, which begins at {}, needs {} more", overlong_->path,
                                  overlong_->at, counted(overlong_->missing, "byte")));
    else
      fault_ =
          broken(overlong_->at, overlong_->path,
                 fmt::format("its length reaches {} past the file's end, and what follows does not fit it: at {}, {}",
                             counted(overlong_->missing, "byte"), wrong.offset, wrong.what));
    return false;
  }
  bool message(std::string_view name, std::uint64_t begin, std::uint64_t end, int depth, const Step& step);
  bool piece_of(const Field& f, const Piece& piece, int depth, const Step& step);
  bool packed(const Field& f, const Piece& piece, const Step& step);
  std::string step_name(const Field& f, const Piece& piece, std::map<unsigned, std::uint64_t>& counts);

  PagedBytes& bytes_;
  const Judge& judge_;
  std::uint64_t end_, unknown_fields_ = 0;
  std::optional<Overlong> overlong_;
  std::optional<Checked> fault_;
};

// "node[3]", attr["value"]; nothing for the value of a map's entry, which the key names.
std::string Walk::step_name(const Field& f, const Piece& piece, std::map<unsigned, std::uint64_t>& counts) {
  if (f.many == Many::one)
    return f.message.ends_with("Entry") && f.name == "value" ? std::string() : std::string(f.name);
  if (f.many == Many::list) return fmt::format("{}[{}]", f.name, counts[f.number]++);
  Fields entry(bytes_, piece.begin, piece.end);
  const auto key = entry.next();
  if (!key || key->number != 1) return fmt::format("{}[?]", f.name);
  if (key->wire != 2) return fmt::format("{}[{}]", f.name, key->value);
  return fmt::format("{}[\"{}\"]", f.name, shown(bytes_.text(key->begin, std::min(key->value, longest_key_shown))));
}

bool Walk::message(std::string_view name, std::uint64_t begin, std::uint64_t end, int depth, const Step& step) {
  if (depth > deepest) return bad({begin, fmt::format("messages lie in messages more than {} deep", deepest)}, step);
  const auto rows = std::ranges::equal_range(tensorflow_schema(), name, {}, &Field::message);
  std::map<unsigned, std::uint64_t> counts;
  Fields fields(bytes_, begin, end);
  while (const auto piece = fields.next()) {
    const auto row = std::ranges::find(rows, piece->number, &Field::number);
    const Step here{.up = &step,
                    .name = row != rows.end() ? step_name(*row, *piece, counts) : fmt::format("<{}>", piece->number)};
    if (piece->end > end) {
      const bool past_file = depth == 0 && end == bytes_.bytes();
      if (!past_file)
        return bad({piece->at, fmt::format("its length, {}, reaches past the end of its message", piece->value)}, here);
      overlong_ = Overlong{.at = piece->at, .missing = piece->end - end, .path = path_of(here)};
    }
    if (row != rows.end() && !piece_of(*row, *piece, depth, here)) return false;
    if (row == rows.end()) ++unknown_fields_;
    if (piece->end > bytes_.bytes()) return bad({bytes_.bytes(), "the file ends here", true}, here);
  }
  if (fields.wrong()) return bad(*fields.wrong(), step);
  if (end > bytes_.bytes()) return bad({bytes_.bytes(), "the file ends here", true}, step);
  const auto wrong = judge_(name, begin, end);
  return !wrong || bad(*wrong, step);
}

bool Walk::piece_of(const Field& f, const Piece& piece, int depth, const Step& step) {
  const auto wire = wire_of(f.kind);
  if (piece.wire != wire) {
    if (wire != 2 && piece.wire == 2 && f.many == Many::list) return packed(f, piece, step);
    return bad({piece.at, fmt::format("it has wire type {}, but is {} (wire type {}); readers drop it unsaid",
                                      piece.wire, words_of(f.kind), wire)},
               step);
  }
  if (f.kind == Kind::message) return message(f.of, piece.begin, piece.end, depth + 1, step);
  if (f.kind != Kind::text) return true;
  const auto end = std::min(piece.end, bytes_.bytes());
  for (auto at = piece.begin; at < end;) {
    const auto size = character_bytes(bytes_, at, piece.end);
    if (size == 0 && at + 4 > bytes_.bytes() && piece.end > bytes_.bytes()) break;  // cut inside a character
    if (size == 0)
      return bad({piece.at, fmt::format("it is a text, but byte {} of it is no UTF-8", at - piece.begin)}, step);
    at += size;
  }
  return true;
}

bool Walk::packed(const Field& f, const Piece& piece, const Step& step) {
  if (f.kind != Kind::varint) {
    const unsigned each = f.kind == Kind::fixed64 ? 8 : 4;
    if (piece.value % each == 0) return true;
    return bad({piece.at, fmt::format("its length, {}, is no multiple of {}", piece.value, each)}, step);
  }
  unsigned run = 0;
  for (auto at = piece.begin; at < std::min(piece.end, bytes_.bytes()); ++at) {
    run = bytes_.byte(at) & 0x80 ? run + 1 : 0;
    if (run >= 10) return bad({piece.at, "one of its numbers has more than 10 bytes"}, step);
  }
  if (run && piece.end <= bytes_.bytes()) return bad({piece.at, "its last number does not end"}, step);
  return true;
}

}  // namespace

Schema tensorflow_schema() { return tensorflow_fields; }

Walked walk(PagedBytes& bytes, std::string_view message, std::uint64_t begin, std::uint64_t end, const Judge& judge) {
  return Walk(bytes, judge, end).run(message, begin);
}

}  // namespace sigwhy::inputs::protobuf
