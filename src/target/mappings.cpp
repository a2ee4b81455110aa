// /proc/PID/maps, one mapping a line:
//   7f01-7f02 r-xp 00001000 fe:00 1234   /usr/lib/libm.so.6
#include <algorithm>
#include <charconv>
#include <string_view>

#include "target/target.h"

namespace sigwhy {

namespace {

// The field before the next `until`, and `text` moved behind it.
std::string_view cut(std::string_view& text, char until) {
  const auto end = std::min(text.find(until), text.size());
  const auto field = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return field;
}

bool number(std::string_view text, int base, std::uint64_t& into) {
  const auto end = text.data() + text.size();
  return !text.empty() && std::from_chars(text.data(), end, into, base).ptr == end;
}

std::optional<Mapping> parse_line(std::string_view line) {
  Mapping m;
  std::uint64_t major = 0, minor = 0;
  const auto start = cut(line, '-'), end = cut(line, ' '), permissions = cut(line, ' ');
  const auto offset = cut(line, ' '), device_major = cut(line, ':'), device_minor = cut(line, ' ');
  const auto inode = cut(line, ' ');
  if (!number(start, 16, m.start.value) || !number(end, 16, m.end.value) || permissions.size() != 4 ||
      !number(offset, 16, m.offset) || !number(device_major, 16, major) || !number(device_minor, 16, minor) ||
      !number(inode, 10, m.inode) || m.end <= m.start)
    return std::nullopt;
  m.readable = permissions[0] == 'r';
  m.writable = permissions[1] == 'w';
  m.executable = permissions[2] == 'x';
  m.shared = permissions[3] == 's';
  m.device = major << 20 | minor;
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  m.path = line;
  return m;
}

}  // namespace

std::vector<Mapping> parse_maps(std::string_view text) {
  std::vector<Mapping> mappings;
  while (!text.empty())
    if (auto m = parse_line(cut(text, '\n'))) mappings.push_back(std::move(*m));
  std::ranges::sort(mappings, {}, &Mapping::start);
  return mappings;
}

std::optional<std::size_t> mapping_at(const std::vector<Mapping>& sorted, Address a) {
  const auto after = std::ranges::upper_bound(sorted, a, {}, &Mapping::start);
  if (after == sorted.begin() || !std::prev(after)->contains(a)) return std::nullopt;
  return static_cast<std::size_t>(std::prev(after) - sorted.begin());
}

}  // namespace sigwhy
