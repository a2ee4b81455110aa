// TFRecord (also TensorBoard's event files): records one behind the other, with neither a header nor a count, so a file
// that was cut between two records looks whole; only what lies beside it can tell (records_beside.h). TensorFlow reads
// a file of no bytes as one of no records. It compresses whole files, by gzip or zlib, and says so nowhere but in the
// reader's options.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/count_text.h"
#include "inputs/format.h"
#include "inputs/records_beside.h"
#include "inputs/tfrecord_walk.h"
#include "inputs/unwrapped.h"
#include "inputs/verdict.h"

namespace sigwhy::inputs::formats {

namespace {

using Wrapping = Unwrapped::Wrapping;

constexpr std::uint64_t piece_bytes = 1 << 20;

std::string_view name_of(std::string_view path) { return path.substr(path.rfind('/') + 1); }

bool is_named_so(std::string_view path) {
  const auto name = name_of(path);
  for (const std::string_view mark : {".tfrecord", ".tfrec", ".tfevents", ".tf_record"})
    if (name.find(mark) != std::string_view::npos) return true;
  return false;
}

bool wraps_records(std::string_view first, Wrapping wrapping) {
  const auto start = FileBytes::of(first);
  if (!start) return false;
  Unwrapped plain(*start, wrapping);
  const auto piece = plain.next();
  return begins_with_record({piece.data(), piece.size()});
}

std::optional<Wrapping> wrapping_of(std::string_view first) {
  if (begins_with_record(first)) return std::nullopt;
  if (first.starts_with(gzip_magic)) return Wrapping::gzip;
  return looks_like_zlib(first) ? std::optional(Wrapping::zlib) : std::nullopt;
}

Likeness likeness(std::string_view path, std::string_view first) {
  if (begins_with_record(first)) return Likeness::by_content;
  const auto wrapping = wrapping_of(first);
  if (wrapping && (is_named_so(path) || wraps_records(first, *wrapping))) return Likeness::by_content;
  return is_named_so(path) ? Likeness::by_name : Likeness::none;
}

Checked judged(const FileBytes& file, const RecordWalk& walk) {
  if (walk.flaw) return {.soundness = Soundness::broken, .flaw = walk.flaw};
  const auto beside = records_beside(file.path());
  if (beside.records && *beside.records > walk.records)
    return broken(file.bytes(), fmt::format("record {}", grouped_digits(walk.records)),
                  fmt::format("it ends after {}, at a record's edge; {} lists {}", counted(walk.records, "record"), beside.source,
                              grouped_digits(*beside.records)));
  auto whole = sound(counted(walk.records, "record"));
  whole.remarks = beside.remarks;
  if (beside.records && *beside.records < walk.records)
    whole.remarks.push_back(fmt::format("{} lists only {}", beside.source, counted(*beside.records, "record")));
  return whole;
}

Checked check_plain(const FileBytes& file) {
  std::vector<char> piece(std::min(piece_bytes, file.bytes()));
  std::uint64_t at = 0;
  return judged(file, walk_records([&]() -> std::span<const char> {
                  const auto got = file.read(at, piece);
                  at += got;
                  return std::span<const char>(piece).first(got);
                }));
}

// Damage done to the compressed file shows in both; the file's own place comes first then.
Checked check_wrapped(const FileBytes& file, Wrapping wrapping) {
  Unwrapped plain(file, wrapping);
  const std::string inside = wrapping == Wrapping::gzip ? "the data after gunzip" : "the data after inflating";
  auto walk = walk_records([&] { return plain.next(); });
  while (!plain.next().empty()) {
  }
  if (!plain.flaw()) {
    if (walk.flaw) walk.flaw->inside = inside;
    auto checked = judged(file, walk);
    checked.holds += checked.holds.empty() ? "" : wrapping == Wrapping::gzip ? ", compressed by gzip" : ", compressed by zlib";
    return checked;
  }
  Checked checked{.soundness = Soundness::broken, .flaw = plain.flaw()};
  checked.remarks.push_back(fmt::format("{} before it came out whole", counted(walk.records, "record")));
  if (walk.flaw)
    checked.remarks.push_back(fmt::format("the first that did not: {}, at byte {} of {}", walk.flaw->where,
                                          grouped_digits(walk.flaw->offset), inside));
  return checked;
}

Checked check(const FileBytes& file) {
  const auto wrapping = wrapping_of(file.text(0, record_head_bytes));
  return wrapping ? check_wrapped(file, *wrapping) : check_plain(file);
}

}  // namespace

extern const Format tfrecord{.title = "TFRecord", .likeness = likeness, .check = check, .empty_is_legal = true};

}  // namespace sigwhy::inputs::formats
