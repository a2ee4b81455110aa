// 18231 as a reader says it: 18,231.
#pragma once
#include <cstdint>
#include <string>

namespace sigwhy {

inline std::string grouped_digits(std::uint64_t n) {
  const auto digits = std::to_string(n);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

}  // namespace sigwhy
