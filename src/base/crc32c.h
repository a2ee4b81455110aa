// CRC-32C (Castagnoli): what TFRecord files frame their records with, and what our own record is checked by. By the
// processor's instruction where it has one (SSE 4.2, since 2008), else bit by bit.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace sigwhy {

std::uint32_t crc32c(std::span<const std::byte> bytes);

// That of all bytes so far and of these behind them; 0 before the first.
std::uint32_t crc32c(std::uint32_t so_far, std::span<const std::byte> bytes);

// A checksum of bytes that hold checksums is weak; TFRecord and LevelDB turn and shift theirs.
constexpr std::uint32_t masked_crc32c(std::uint32_t crc) { return (crc >> 15 | crc << 17) + 0xa282ead8u; }

}  // namespace sigwhy
