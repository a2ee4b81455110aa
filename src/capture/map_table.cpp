#include "capture/map_table.h"

#include <algorithm>

namespace sigwhy::capture {

namespace {

std::uint64_t hex(std::string_view text, std::size_t& at) {
  std::uint64_t value = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c >= '0' && c <= '9') value = value << 4 | static_cast<std::uint64_t>(c - '0');
    else if (c >= 'a' && c <= 'f') value = value << 4 | static_cast<std::uint64_t>(c - 'a' + 10);
    else break;
  }
  return value;
}

std::string_view path_at(std::string_view text, std::uint32_t at) {
  if (!at) return {};
  const auto rest = text.substr(at);
  return rest.substr(0, rest.find('\n'));
}

// Or the stack.
bool may_hold_code(std::string_view path) {
  return !path.empty() && !path.starts_with("/dev/") && !path.starts_with("/memfd:");
}

}  // namespace

void MapTable::parse(std::string_view text) {
  text_ = text;
  size_ = 0;
  whole_ = true;
  for (std::size_t line = 0; line < text.size();) {
    const std::size_t end = std::min(text.find('\n', line), text.size());
    std::size_t at = line;
    MapEntry e{};
    e.start = hex(text, at);
    ++at;
    e.end = hex(text, at);
    if (at + 6 < end && e.end > e.start) {
      e.readable = text[at + 1] == 'r';
      e.writable = text[at + 2] == 'w';
      e.executable = text[at + 3] == 'x';
      e.shared = text[at + 4] == 's';
      at += 6;
      e.offset = hex(text, at);
      // device and inode hold neither '/' nor '[', so the first of those starts the path
      const auto path = text.substr(0, end).find_first_of("/[", at);
      e.path = path == std::string_view::npos ? 0 : static_cast<std::uint32_t>(path);
      if (size_ >= (may_hold_code(path_at(text, e.path)) ? capacity : capacity_for_data)) whole_ = false;
      else entries_[size_++] = e;
    }
    line = end + 1;
  }
}

const MapEntry* MapTable::at(Address a) const {
  const auto after = std::upper_bound(begin(), end(), a.value,
                                      [](std::uint64_t value, const MapEntry& e) { return value < e.start; });
  if (after == begin() || a.value >= (after - 1)->end) return nullptr;
  return after - 1;
}

std::string_view MapTable::path(const MapEntry& e) const {
  return path_at(text_, e.path);
}

std::string_view MapTable::name(const MapEntry& e) const {
  const auto whole_path = path(e);
  return whole_path.substr(whole_path.rfind('/') + 1);
}

}  // namespace sigwhy::capture
