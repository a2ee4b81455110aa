#include "capture/plain_words.h"

#include <stdio.h>

#include <cmath>
#include <iterator>

namespace sigwhy::capture {

std::string size_words(double bytes) {
  constexpr const char* units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"};
  std::size_t unit = 0;
  for (; bytes >= 1023.95 && unit + 1 < std::size(units); ++unit) bytes /= 1024;
  char text[48];
  const bool whole = std::abs(bytes - std::round(bytes)) < 0.05 || unit == 0;
  snprintf(text, sizeof text, whole ? "%.0f %s" : "%.1f %s", bytes, units[unit]);
  return text;
}

std::string time_words(double seconds) {
  char text[48];
  if (seconds < 90) snprintf(text, sizeof text, "%.0f s", seconds);
  else if (seconds < 90 * 60) snprintf(text, sizeof text, "%.0f min", seconds / 60);
  else snprintf(text, sizeof text, "%.1f h", seconds / 3600);
  return text;
}

std::string number_words(std::int64_t n) {
  std::string text = std::to_string(n);
  for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > (n < 0 ? 1 : 0); at -= 3)
    text.insert(static_cast<std::size_t>(at), 1, ',');
  return text;
}

std::int64_t rounded(double value) {
  if (std::abs(value) < 100) return std::llround(value);
  const double unit = std::pow(10, std::floor(std::log10(std::abs(value))) - 1);
  return std::llround(std::round(value / unit) * unit);
}

}  // namespace sigwhy::capture
