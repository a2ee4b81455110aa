#include "inputs/flipped_bit.h"

#include <fmt/format.h>

#include "base/count_text.h"

namespace sigwhy::inputs {

std::optional<std::uint64_t> byte_with_flipped_bit(std::uint32_t difference, std::uint64_t bytes, std::uint32_t polynomial) {
  constexpr std::uint64_t most_bytes = 16 << 20;
  if (difference == 0 || bytes > most_bytes) return std::nullopt;
  // The difference that a bit makes goes through the register once for itself and for each bit behind it.
  std::uint32_t made = 1;
  for (std::uint64_t steps = 1; steps <= 8 * bytes; ++steps) {
    made = made >> 1 ^ (polynomial & -(made & 1));
    if (made == difference) return bytes - (steps + 7) / 8;
  }
  return std::nullopt;
}

std::string flipped_bit_text(std::uint32_t difference, std::uint64_t data_at, std::uint64_t bytes, std::uint32_t polynomial) {
  const auto byte = byte_with_flipped_bit(difference, bytes, polynomial);
  return byte ? fmt::format("; a single flipped bit in byte {} explains it", grouped_digits(data_at + *byte)) : "";
}

}  // namespace sigwhy::inputs
