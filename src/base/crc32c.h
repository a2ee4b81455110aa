// CRC-32C (Castagnoli): what TFRecord files frame their records with, and what our own record is checked by. By the
// processor's instruction where it has one (SSE 4.2, since 2008), else bit by bit.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace sigwhy {

std::uint32_t crc32c(std::span<const std::byte> bytes);

}  // namespace sigwhy
