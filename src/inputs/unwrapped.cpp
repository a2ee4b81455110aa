#include "inputs/unwrapped.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>

#include "base/count_text.h"
#include "inputs/little_endian.h"
#include "inputs/verdict.h"

namespace sigwhy::inputs {

namespace {

constexpr std::uint64_t gzip_fixed_bytes = 10, gzip_trailer_bytes = 8, zlib_header_bytes = 2, zlib_trailer_bytes = 4;
constexpr unsigned has_header_checksum = 2, has_extra = 4, has_name = 8, has_comment = 16, reserved_flags = 0xe0;
constexpr std::uint64_t longest_header_text = 64 << 10;

unsigned byte(std::string_view text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

std::uint32_t big_endian_32(std::string_view bytes) {
  return byte(bytes, 0) << 24 | byte(bytes, 1) << 16 | byte(bytes, 2) << 8 | byte(bytes, 3);
}

const Bytef* zlib_bytes(std::span<const char> bytes) { return reinterpret_cast<const Bytef*>(bytes.data()); }

}  // namespace

bool looks_like_zlib(std::string_view first) {
  return first.size() >= 2 && byte(first, 0) == 0x78 && (byte(first, 0) * 256 + byte(first, 1)) % 31 == 0 && !(byte(first, 1) & 0x20);
}

std::string Unwrapped::member_text() const { return members_ == 0 ? "" : fmt::format("member {}, ", grouped_digits(members_)); }

std::nullopt_t Unwrapped::wrong(std::uint64_t offset, std::string_view field, std::string what) {
  flaw_ = Flaw{.offset = offset, .where = member_text() + std::string(field), .what = std::move(what)};
  done_ = true;
  return std::nullopt;
}

std::optional<std::uint64_t> Unwrapped::gzip_header_end() {
  const auto head = file_->text(position_, gzip_fixed_bytes);
  if (head.size() < gzip_fixed_bytes || !head.starts_with(gzip_magic)) {
    const auto same = std::min(head.size(), gzip_magic.size());
    if (head.substr(0, same) != gzip_magic.substr(0, same)) return wrong(position_, "header", "it does not begin with 1f 8b");
    return wrong(position_ + head.size(), "header", fmt::format("the file ends after {} of its 10 bytes", head.size()));
  }
  if (byte(head, 2) != 8) return wrong(position_ + 2, "header, method", fmt::format("method {} does not exist", byte(head, 2)));
  const auto flags = byte(head, 3);
  if (flags & reserved_flags) return wrong(position_ + 3, "header, flags", fmt::format("{:#04x} has reserved bits set", flags));
  auto at = position_ + gzip_fixed_bytes;
  if (flags & has_extra) {
    const auto length = file_->text(at, 2);
    if (length.size() < 2) return wrong(file_->bytes(), "header, extra field", "the file ends here");
    at += 2 + little_endian(length);
  }
  for (const unsigned flag : {has_name, has_comment}) {
    if (!(flags & flag)) continue;
    const auto text = file_->text(at, longest_header_text);
    const auto end = text.find('\0');
    const char* field = flag == has_name ? "header, name" : "header, comment";
    if (end == std::string::npos && at + text.size() >= file_->bytes()) return wrong(file_->bytes(), field, "the file ends here");
    if (end == std::string::npos) return wrong(at, field, "it has no end within 64 KiB");
    at += end + 1;
  }
  if (flags & has_header_checksum) {
    const auto covered = file_->text(position_, at - position_), written = file_->text(at, 2);
    if (written.size() < 2) return wrong(file_->bytes(), "header checksum", "the file ends here");
    const auto given = crc32(0, zlib_bytes(covered), static_cast<uInt>(covered.size())) & 0xffff;
    if (given != little_endian(written))
      return wrong(at, "header checksum", fmt::format("it is {:#06x}, the header gives {:#06x}", little_endian(written), given));
    at += 2;
  }
  return at;
}

std::optional<std::uint64_t> Unwrapped::header_end() {
  if (wrapping_ == Wrapping::gzip) return gzip_header_end();
  const auto head = file_->text(position_, zlib_header_bytes);
  if (head.size() < zlib_header_bytes) return wrong(file_->bytes(), "header", "the file ends here");
  if (!looks_like_zlib(head)) return wrong(position_, "header", fmt::format("{:02x} {:02x} begins no zlib stream", byte(head, 0), byte(head, 1)));
  return position_ + zlib_header_bytes;
}

bool Unwrapped::only_zeros_from_here() {
  for (auto at = position_; at < file_->bytes();) {
    const auto text = file_->text(at, at == position_ ? 1 : 1 << 20);
    if (text.empty() || text.find_first_not_of('\0') != std::string::npos) return false;
    at += text.size();
  }
  return true;
}

bool Unwrapped::begin_member() {
  const bool again = members_ > 0;
  if (again && position_ >= file_->bytes()) return false;
  if (again && only_zeros_from_here()) {
    zeros_behind_ = file_->bytes() - position_;
    return false;
  }
  const auto end = header_end();
  if (!end) return false;
  if (*end > file_->bytes()) {
    wrong(file_->bytes(), "header", "the file ends here");
    return false;
  }
  data_at_ = *end;
  member_bytes_ = 0;
  checksum_ = wrapping_ == Wrapping::gzip ? 0 : 1;
  inflate_ = std::make_unique<Inflate>(*file_, data_at_, file_->bytes() - data_at_);
  return true;
}

void Unwrapped::check_gzip_trailer() {
  const auto trailer = file_->text(position_, gzip_trailer_bytes);
  if (trailer.size() < gzip_trailer_bytes) {
    wrong(position_ + trailer.size(), trailer.size() < 4 ? "checksum" : "length", "the file ends here");
    return;
  }
  const auto written = static_cast<std::uint32_t>(little_endian(trailer.substr(0, 4)));
  const auto length = static_cast<std::uint32_t>(little_endian(trailer.substr(4)));
  if (written != checksum_)
    wrong(position_, "checksum", fmt::format("it is {:#010x}, the {} after gunzip give {:#010x}: the damage lies between byte {} and here",
                                             written, counted(member_bytes_, "byte"), checksum_, grouped_digits(data_at_)));
  else if (length != static_cast<std::uint32_t>(member_bytes_))
    wrong(position_ + 4, "length", fmt::format("it says {}, there are {} after gunzip", grouped_digits(length), grouped_digits(member_bytes_)));
  position_ += gzip_trailer_bytes;
}

void Unwrapped::check_zlib_trailer() {
  const auto trailer = file_->text(position_, zlib_trailer_bytes);
  if (trailer.size() < zlib_trailer_bytes) {
    wrong(position_ + trailer.size(), "checksum", "the file ends here");
    return;
  }
  const auto written = big_endian_32(trailer);
  if (written != checksum_)
    wrong(position_, "checksum", fmt::format("it is {:#010x}, the {} after inflating give {:#010x}: the damage lies between byte {} and here",
                                             written, counted(member_bytes_, "byte"), checksum_, grouped_digits(data_at_)));
  position_ += zlib_trailer_bytes;
  if (!flaw_ && position_ < file_->bytes()) wrong(position_, "", "bytes follow the end of the zlib stream");
  done_ = true;
}

void Unwrapped::end_member() {
  position_ = inflate_->position();
  if (inflate_->cut()) {
    wrong(file_->bytes(), "compressed data", fmt::format("the file ends in it, {} after gunzip", counted(member_bytes_, "byte")));
    return;
  }
  if (!inflate_->ended()) {
    wrong(position_, "compressed data", fmt::format("it cannot go on here ({}): the damage lies between byte {} and here",
                                                    inflate_->objection(), grouped_digits(data_at_)));
    return;
  }
  inflate_.reset();
  if (wrapping_ == Wrapping::gzip) check_gzip_trailer();
  else check_zlib_trailer();
  if (!flaw_) ++members_;
}

std::span<const char> Unwrapped::next() {
  while (!done_) {
    if (!inflate_ && !begin_member()) {
      done_ = true;
      break;
    }
    const auto piece = inflate_->next();
    if (piece.empty()) {
      end_member();
      continue;
    }
    const auto size = static_cast<uInt>(piece.size());
    checksum_ = static_cast<std::uint32_t>(wrapping_ == Wrapping::gzip ? crc32(checksum_, zlib_bytes(piece), size)
                                                                        : adler32(checksum_, zlib_bytes(piece), size));
    member_bytes_ += piece.size();
    all_bytes_ += piece.size();
    return piece;
  }
  return {};
}

}  // namespace sigwhy::inputs
