// Where a checksum of 32 bits does not fit, one flipped bit can be told from other damage and found again: each bit
// changes the checksum in its own way, whatever the other bits are. Memory and disks flip single bits; a copy that went
// wrong changes many, which are taken for a single one with a chance of 8 x bytes in 2^32.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

namespace sigwhy::inputs {

inline constexpr std::uint32_t crc32c_polynomial = 0x82f63b78, crc32_polynomial = 0xedb88320;  // reflected

// The byte, counted from the first of `bytes`, that has a bit flipped if only one is; `difference` of the checksum
// that is written and the one that the bytes give. Not looked for in more than 16 MiB.
std::optional<std::uint64_t> byte_with_flipped_bit(std::uint32_t difference, std::uint64_t bytes, std::uint32_t polynomial);

// "; a single flipped bit in byte 1,024 explains it", counted from `data_at`; empty: none does.
std::string flipped_bit_text(std::uint32_t difference, std::uint64_t data_at, std::uint64_t bytes, std::uint32_t polynomial);

}  // namespace sigwhy::inputs
