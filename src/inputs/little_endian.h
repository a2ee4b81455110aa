#pragma once
#include <cstdint>
#include <string_view>

namespace sigwhy::inputs {

// The number in at most eight bytes, the lowest first.
inline std::uint64_t little_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

}  // namespace sigwhy::inputs
