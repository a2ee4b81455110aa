#include "report/words.h"

#include <fmt/format.h>

#include <ctime>

#include "base/count_text.h"

namespace sigwhy::report {

std::string duration_text(double seconds) {
  if (seconds < 0.1) return fmt::format("{:.0f}\u00a0ms", seconds * 1000);
  if (seconds < 9.95) {
    auto text = fmt::format("{:.1f}", seconds);
    if (text.ends_with(".0")) text.resize(text.size() - 2);
    return text + "\u00a0s";
  }
  const auto whole = static_cast<std::uint64_t>(seconds + 0.5);
  const auto minutes = whole / 60, hours = minutes / 60, days = hours / 24;
  if (whole < 60) return fmt::format("{}\u00a0s", whole);
  if (minutes < 10) return fmt::format("{}\u00a0min\u00a0{}\u00a0s", minutes, whole % 60);
  if (hours < 1) return fmt::format("{}\u00a0min", minutes);
  if (hours < 48) return fmt::format("{}\u00a0h\u00a0{}\u00a0min", hours, minutes % 60);
  return fmt::format("{}\u00a0d\u00a0{}\u00a0h", days, hours % 24);
}

std::string count_text(std::uint64_t n) { return grouped_digits(n); }

std::string size_text(std::uint64_t bytes) {
  constexpr const char* units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes == 1) return "1\u00a0byte";
  if (bytes < 10'000) return count_text(bytes) + "\u00a0bytes";
  double value = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  for (; value >= 1023.95 && unit + 1 < std::size(units); ++unit) value /= 1024;
  return fmt::format("{:.1f}\u00a0{}", value, units[unit]);
}

std::string hex_text(Address a) { return fmt::format("{:#x}", a.value); }

std::string counted(std::uint64_t n, std::string_view noun) {
  return fmt::format("{}\u00a0{}{}", count_text(n), noun, n == 1 ? "" : "s");
}

std::string sentence(std::string text) {
  while (!text.empty() && text.back() == ' ') text.pop_back();
  if (!text.empty() && std::string_view(".!?:").find(text.back()) == std::string_view::npos) text += '.';
  return text;
}

static std::string quoted(const std::string& word) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+./,:@%^*";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string text = "'";
  for (const char c : word) {
    if (c == '\'') text += "'\\''";
    else text += c;
  }
  return text + "'";
}

std::string command_text(const std::vector<std::string>& argv) {
  std::string text;
  for (const auto& word : argv) {
    if (!text.empty()) text += ' ';
    text += quoted(word);
  }
  return text;
}

std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

static std::string local_time(std::int64_t unix_ms, const char* pattern) {
  const std::time_t seconds = unix_ms / 1000;
  std::tm local{};
  char text[32] = "";
  if (::localtime_r(&seconds, &local)) std::strftime(text, sizeof text, pattern, &local);
  return text;
}

std::string minute_text(std::int64_t unix_ms) { return local_time(unix_ms, "%Y-%m-%d %H:%M"); }
std::string second_text(std::int64_t unix_ms) { return local_time(unix_ms, "%Y-%m-%d %H:%M:%S"); }

}  // namespace sigwhy::report
