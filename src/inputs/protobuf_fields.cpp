#include <fmt/format.h>

#include <vector>

#include "inputs/protobuf_walk.h"

namespace sigwhy::inputs::protobuf {

namespace {

enum Wire : unsigned { w_varint = 0, w_fixed64 = 1, w_length = 2, w_group = 3, w_group_end = 4, w_fixed32 = 5 };
constexpr unsigned longest_varint = 10;
constexpr std::size_t deepest_group = 100;

}  // namespace

std::nullopt_t Fields::bad(std::uint64_t offset, std::string what) {
  wrong_ = Wrong{.offset = offset, .what = std::move(what)};
  return std::nullopt;
}

std::nullopt_t Fields::cut() {
  wrong_ = Wrong{.offset = bytes_.bytes(), .what = "the file ends here", .cut = true};
  return std::nullopt;
}

std::optional<std::uint64_t> Fields::varint(std::uint64_t tag_at, std::string_view of_what) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < longest_varint; ++i, ++at_) {
    if (at_ >= bytes_.bytes()) return cut();
    if (at_ >= end_) return bad(tag_at, fmt::format("its {} runs past the end of its message", of_what));
    const auto byte = bytes_.byte(at_);
    value |= static_cast<std::uint64_t>(byte & 0x7f) << (7 * i);
    if (!(byte & 0x80)) {
      ++at_;
      return value;
    }
  }
  return bad(tag_at, fmt::format("its {} is a number of more than {} bytes", of_what, longest_varint));
}

std::optional<Piece> Fields::next() {
  if (wrong_ || at_ >= end_) return std::nullopt;
  Piece piece{.at = at_};
  const auto tag = varint(at_, "tag");
  if (!tag) return std::nullopt;
  if (*tag >> 32) return bad(piece.at, fmt::format("its tag is {}, more than a tag can be", *tag));
  piece.number = static_cast<unsigned>(*tag >> 3);
  piece.wire = static_cast<unsigned>(*tag & 7);
  if (piece.number == 0) return bad(piece.at, "its field number is 0, which there is not");
  return value_of(piece);
}

std::optional<Piece> Fields::value_of(Piece piece) {
  const unsigned fixed = piece.wire == w_fixed64 ? 8 : piece.wire == w_fixed32 ? 4 : 0;
  if (fixed) {
    if (end_ >= bytes_.bytes() && !bytes_.holds(at_, fixed)) return cut();
    if (at_ + fixed > end_) return bad(piece.at, fmt::format("its {} bytes run past the end of its message", fixed));
    piece.value = bytes_.number(at_, fixed);
    at_ += fixed;
    return piece;
  }
  if (piece.wire == w_varint || piece.wire == w_length) {
    const auto number = varint(piece.at, piece.wire == w_varint ? "value" : "length");
    if (!number) return std::nullopt;
    piece.value = *number;
    if (piece.wire == w_varint) return piece;
    if (*number > most_bytes) return bad(piece.at, fmt::format("its length is {}, more than protobuf allows", *number));
    piece.begin = at_;
    piece.end = at_ = at_ + *number;
    return piece;
  }
  if (piece.wire == w_group) return skip_group(piece) ? std::optional(piece) : std::nullopt;
  if (piece.wire == w_group_end) return bad(piece.at, fmt::format("it ends a group {} that never began", piece.number));
  return bad(piece.at, fmt::format("wire type {} does not exist", piece.wire));
}

bool Fields::skip_group(const Piece& start) {
  std::vector<unsigned> open{start.number};
  while (!open.empty()) {
    const auto at = at_;
    if (at_ >= end_) return bad(start.at, fmt::format("the group {} never ends", start.number)), false;
    const auto tag = varint(at, "tag");
    if (!tag) return false;
    const auto number = static_cast<unsigned>(*tag >> 3), wire = static_cast<unsigned>(*tag & 7);
    if (number == 0 || *tag >> 32) return bad(at, fmt::format("{} is no tag", *tag)), false;
    if (wire == w_group_end) {
      if (number != open.back())
        return bad(at, fmt::format("it ends a group {}, but {} is open", number, open.back())), false;
      open.pop_back();
    } else if (wire == w_group) {
      if (open.size() >= deepest_group)
        return bad(at, fmt::format("groups lie more than {} deep", deepest_group)), false;
      open.push_back(number);
    } else {
      const auto inner = value_of({.at = at, .number = number, .wire = wire});
      if (!inner) return false;
      if (inner->end > end_) return bad(at, "its length reaches past the end of its message"), false;
    }
  }
  return true;
}

}  // namespace sigwhy::inputs::protobuf
