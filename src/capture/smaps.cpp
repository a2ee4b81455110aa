#include "capture/smaps.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstring>

namespace sigwhy::capture {

namespace {

// "Rss:   1234 kB"
bool number_behind(std::string_view line, std::string_view key, std::uint64_t& into) {
  if (!line.starts_with(key)) return false;
  line.remove_prefix(key.size());
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  std::from_chars(line.data(), line.data() + line.size(), into);
  return true;
}

// Takes one field of a mapping's line off its front.
std::string_view field(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  const auto word = line.substr(0, line.find(' '));
  line.remove_prefix(word.size());
  return word;
}

}  // namespace

bool SmapsReader::begins_mapping(std::string_view line) {
  const auto dash = line.find('-');
  if (dash == std::string_view::npos || dash > 16 || line.find(':') < dash) return false;
  SmapsEntry e;
  const char* const end = line.data() + line.size();
  const auto start = std::from_chars(line.data(), line.data() + dash, e.start, 16);
  const auto stop = std::from_chars(line.data() + dash + 1, end, e.end, 16);
  if (start.ec != std::errc() || start.ptr != line.data() + dash || stop.ec != std::errc() || e.end <= e.start) return false;
  auto rest = line.substr(static_cast<std::size_t>(stop.ptr - line.data()));
  const auto flags = field(rest);
  if (flags.size() != 4) return false;
  e.readable = flags[0] == 'r';
  e.writable = flags[1] == 'w';
  e.executable = flags[2] == 'x';
  e.shared = flags[3] == 's';
  const auto offset = field(rest);
  std::from_chars(offset.data(), offset.data() + offset.size(), e.offset, 16);
  field(rest);  // device
  const auto inode = field(rest);
  std::from_chars(inode.data(), inode.data() + inode.size(), e.inode);
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  const auto size = std::min(rest.size(), sizeof path_);
  if (any_) visit_(entry_);
  std::memcpy(path_, rest.data(), size);
  e.path = {path_, size};
  entry_ = e;
  any_ = true;
  return true;
}

void SmapsReader::line(std::string_view line) {
  if (line.empty()) return;
  // Names of figures begin with a capital letter, addresses do not.
  if (line[0] < 'A' || line[0] > 'Z') {
    begins_mapping(line);
    return;
  }
  if (!any_) return;
  if (number_behind(line, "Rss:", entry_.resident_kib) || number_behind(line, "Anonymous:", entry_.anonymous_kib)) return;
  number_behind(line, "Swap:", entry_.swap_kib);
}

void SmapsReader::take(std::string_view text) {
  while (!text.empty()) {
    const auto size = std::min(text.find('\n'), text.size());
    const bool whole = size < text.size();
    const auto part = text.substr(0, size);
    text.remove_prefix(whole ? size + 1 : size);
    if (whole && rest_size_ == 0 && !cut_) {
      line(part);
      continue;
    }
    const auto room = std::min(part.size(), sizeof rest_ - rest_size_);
    std::memcpy(rest_ + rest_size_, part.data(), room);
    rest_size_ += room;
    cut_ |= room < part.size();
    if (!whole) continue;
    line({rest_, rest_size_});
    rest_size_ = 0;
    cut_ = false;
  }
}

void SmapsReader::end() {
  if (rest_size_) line({rest_, rest_size_});
  if (any_) visit_(entry_);
  any_ = false;
  rest_size_ = 0;
}

bool read_smaps(int fd, std::span<char> buffer, FunctionRef<void(const SmapsEntry&)> visit) {
  if (fd < 0 || ::lseek(fd, 0, SEEK_SET) != 0) return false;
  SmapsReader reader(visit);
  bool any = false;
  for (;;) {
    const auto got = ::read(fd, buffer.data(), buffer.size());
    if (got <= 0) break;
    any = true;
    reader.take({buffer.data(), static_cast<std::size_t>(got)});
  }
  reader.end();
  return any;
}

}  // namespace sigwhy::capture
