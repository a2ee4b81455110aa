#include "inputs/tfrecord_walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string>

#include "base/count_text.h"
#include "base/crc32c.h"
#include "inputs/flipped_bit.h"
#include "inputs/little_endian.h"
#include "inputs/verdict.h"

namespace sigwhy::inputs {

namespace {

constexpr std::uint64_t length_bytes = 8, checksum_bytes = 4;
constexpr std::uint32_t mask_delta = 0xa282ead8;

std::uint32_t masked(std::uint32_t crc) { return masked_crc32c(crc); }
std::uint32_t unmasked(std::uint32_t crc) { return std::rotl(crc - mask_delta, 15); }

std::uint32_t checksum_of(std::string_view bytes) { return crc32c(std::as_bytes(std::span(bytes))); }

std::uint32_t number(std::string_view bytes) { return static_cast<std::uint32_t>(little_endian(bytes)); }

class Pieces {
 public:
  explicit Pieces(const std::function<std::span<const char>()>& next) : next_(next) {}

  // Hands `bytes` on, or as many as there are; how many there were.
  template <class Use>
  std::uint64_t take(std::uint64_t bytes, const Use& use) {
    std::uint64_t taken = 0;
    while (taken < bytes) {
      if (piece_.empty()) piece_ = next_();
      if (piece_.empty()) break;
      const auto part = piece_.first(std::min<std::uint64_t>(piece_.size(), bytes - taken));
      use(part);
      piece_ = piece_.subspan(part.size());
      taken += part.size();
    }
    return taken;
  }

  std::string text(std::uint64_t bytes) {
    std::string into;
    take(bytes, [&](std::span<const char> part) { into.append(part.data(), part.size()); });
    return into;
  }

 private:
  const std::function<std::span<const char>()>& next_;
  std::span<const char> piece_;
};

struct Place {
  std::uint64_t record, offset;  // of the record's first byte
  std::uint64_t data_at() const { return offset + record_head_bytes; }
};

Flaw flaw_at(const Place& place, std::uint64_t offset, std::string_view field, std::string what) {
  return {.offset = offset, .where = fmt::format("record {}, {}", grouped_digits(place.record), field), .what = std::move(what)};
}

Flaw ended(const Place& place, std::uint64_t offset, std::string_view field, std::uint64_t got, std::uint64_t wanted) {
  return flaw_at(place, offset, field,
                 fmt::format("it ends after {} of {}; the record begins at byte {}", grouped_digits(got), counted(wanted, "byte"),
                             grouped_digits(place.offset)));
}

// Which of the two is wrong: one flipped bit tells; else it is said of the bytes that the checksum is for.
Flaw contradiction(const Place& place, std::uint64_t at, std::uint64_t bytes, std::string_view field, std::uint32_t written,
                   std::uint32_t given) {
  if (std::popcount(written ^ masked(given)) == 1)
    return flaw_at(place, at + bytes, fmt::format("{} checksum", field),
                   fmt::format("it is {:#010x}, the {} gives {:#010x}; a single flipped bit explains it", written, field, masked(given)));
  return flaw_at(place, at, field,
                 fmt::format("its checksum is {:#010x}, its bytes give {:#010x}{}", written, masked(given),
                             flipped_bit_text(unmasked(written) ^ given, at, bytes, crc32c_polynomial)));
}

std::optional<Flaw> flaw_of_head(const Place& place, std::string_view head) {
  if (head.size() < length_bytes) return ended(place, place.offset + head.size(), "length", head.size(), length_bytes);
  if (head.size() < record_head_bytes)
    return ended(place, place.offset + head.size(), "length checksum", head.size() - length_bytes, checksum_bytes);
  const auto written = number(head.substr(length_bytes)), given = checksum_of(head.substr(0, length_bytes));
  if (written == masked(given)) return std::nullopt;
  if (head.find_first_not_of('\0') == std::string_view::npos)
    return flaw_at(place, place.offset, "length", "zeros stand where a record should begin");
  return contradiction(place, place.offset, length_bytes, "length", written, given);
}

}  // namespace

bool begins_with_record(std::string_view first) {
  return first.size() >= record_head_bytes &&
         number(first.substr(length_bytes, checksum_bytes)) == masked(checksum_of(first.substr(0, length_bytes)));
}

RecordWalk walk_records(const std::function<std::span<const char>()>& next) {
  RecordWalk walk;
  Pieces pieces(next);
  while (true) {
    const Place place{walk.records, walk.bytes};
    const auto head = pieces.text(record_head_bytes);
    if (head.empty()) return walk;
    if ((walk.flaw = flaw_of_head(place, head))) return walk;
    const auto length = little_endian(std::string_view(head).substr(0, length_bytes));
    std::uint32_t given = 0;
    const auto got = pieces.take(length, [&](std::span<const char> part) { given = crc32c(given, std::as_bytes(part)); });
    const auto foot = got < length ? std::string() : pieces.text(record_foot_bytes);
    if (got < length) walk.flaw = ended(place, place.data_at() + got, "data", got, length);
    else if (foot.size() < record_foot_bytes)
      walk.flaw = ended(place, place.data_at() + length + foot.size(), "data checksum", foot.size(), checksum_bytes);
    else if (number(foot) != masked(given)) walk.flaw = contradiction(place, place.data_at(), length, "data", number(foot), given);
    if (walk.flaw) return walk;
    ++walk.records;
    walk.bytes += record_head_bytes + length + record_foot_bytes;
  }
}

}  // namespace sigwhy::inputs
