// Numbers out of the kernel's small texts: "oom_kill 3" on a line of its own, "MemTotal:   24 kB", or just "4096".
#pragma once
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string_view>

namespace sigwhy::capture {

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

}  // namespace sigwhy::capture
