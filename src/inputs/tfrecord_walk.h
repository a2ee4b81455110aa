// Records as TensorFlow frames them: the length (8 bytes), its checksum (4), the data, their checksum (4), and the next
// record behind. Checksums are CRC-32C, "masked" (rotated and shifted by a constant). A length that is wrong leaves no
// way to the next record.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "evidence/input.h"

namespace sigwhy::inputs {

inline constexpr std::uint64_t record_head_bytes = 12, record_foot_bytes = 4;

// Does the length's checksum fit? Four billion to one against chance.
bool begins_with_record(std::string_view first_bytes);

struct RecordWalk {
  std::uint64_t records = 0;  // whole and right ones
  std::uint64_t bytes = 0;    // they take
  std::optional<Flaw> flaw;
};

// `next`: the bytes, piece by piece; empty at their end.
RecordWalk walk_records(const std::function<std::span<const char>()>& next);

}  // namespace sigwhy::inputs
