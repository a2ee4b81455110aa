#include "base/crc32c.h"

#include <nmmintrin.h>

#include <cstring>

namespace sigwhy {

namespace {

constexpr std::uint32_t polynomial = 0x82f63b78;  // reflected

std::uint32_t by_bits(std::uint32_t crc, std::span<const std::byte> bytes) {
  for (const std::byte b : bytes) {
    crc ^= static_cast<std::uint32_t>(b);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? polynomial : 0);
  }
  return crc;
}

__attribute__((target("sse4.2"))) std::uint32_t by_instruction(std::uint32_t crc, std::span<const std::byte> bytes) {
  std::uint64_t wide = crc;
  for (; bytes.size() >= 8; bytes = bytes.subspan(8)) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data(), sizeof word);
    wide = _mm_crc32_u64(wide, word);
  }
  crc = static_cast<std::uint32_t>(wide);
  for (const std::byte b : bytes) crc = _mm_crc32_u8(crc, static_cast<std::uint8_t>(b));
  return crc;
}

}  // namespace

std::uint32_t crc32c(std::span<const std::byte> bytes) { return crc32c(0, bytes); }

std::uint32_t crc32c(std::uint32_t so_far, std::span<const std::byte> bytes) {
  const bool has_instruction = __builtin_cpu_supports("sse4.2");
  return ~(has_instruction ? by_instruction(~so_far, bytes) : by_bits(~so_far, bytes));
}

}  // namespace sigwhy
