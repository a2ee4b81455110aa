// Numbers out of the kernel's small texts: "oom_kill 3" on a line of its own, "MemTotal:   24 kB", or just "4096".
#pragma once
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sigwhy {

// -1: there is none.
inline std::int64_t number_at(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  std::int64_t value = -1;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// Behind the line that starts with `key`; -1: there is none.
inline std::int64_t number_behind(std::string_view text, std::string_view key) {
  for (auto at = text.find(key); at != text.npos; at = text.find(key, at + 1))
    if (at == 0 || text[at - 1] == '\n') return number_at(text.substr(at + key.size()));
  return -1;
}

// The parts between `at`; empty ones are none.
inline std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const auto end = std::min(text.find(at), text.size());
    if (end) parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

// A space in a path is written \040.
inline std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 3 < text.size()) {
      out += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0'));
      i += 3;
    } else {
      out += text[i];
    }
  }
  return out;
}

}  // namespace sigwhy
