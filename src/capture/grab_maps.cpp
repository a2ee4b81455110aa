#include "capture/grab_maps.h"

#include <stdio.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstring>

namespace sigwhy::capture {

namespace {

constexpr std::size_t most_maps_bytes = 2u << 20;
constexpr std::size_t kept_whole = 2000;           // that many are kept in any case
constexpr std::uint64_t small_bytes = 128u << 10;  // thread stacks and large blocks are larger
constexpr std::uint64_t near_bytes = 64u << 10;
constexpr std::size_t longest_joined = 64;

// A line holds a path of at most 4096 bytes, in which the kernel may write each as four.
constexpr std::size_t buffer_bytes = 20u << 10;

struct Line {
  std::uint64_t start = 0, end = 0;
  bool plain = false;  // private, no code, no file, no name
};

// "7f10-7f20 rw-p 00000000 00:00 0"
Line parse(std::string_view text) {
  Line line;
  const char* const end = text.data() + text.size();
  auto at = std::from_chars(text.data(), end, line.start, 16).ptr;
  if (at == end || *at != '-') return line;
  at = std::from_chars(at + 1, end, line.end, 16).ptr;
  const std::string_view rest(at, static_cast<std::size_t>(end - at));
  line.plain = rest.size() > 5 && rest[3] == '-' && rest[4] == 'p' && (rest.ends_with(" 0") || rest.ends_with(" 0 "));
  return line;
}

class Joiner {
 public:
  Joiner(std::span<char> into, std::span<const std::uint64_t> that_matter) : into_(into), that_matter_(that_matter) {}

  void add(std::string_view raw) {
    const Line line = parse(raw);
    const bool joins = may_join(line);
    if (joins && joined_.end == line.start) {
      joined_.end = line.end;
      ++lost_;
      return;
    }
    flush();
    if (joins) joined_ = line;
    else write(raw);
  }

  std::size_t finish() {
    flush();
    return size_;
  }
  bool cut() const { return cut_; }
  std::size_t lost() const { return lost_; }  // in one they were joined to

 private:
  bool may_join(const Line& line) const {
    if (!line.plain || count_ < kept_whole || line.end - line.start > small_bytes) return false;
    return std::none_of(that_matter_.begin(), that_matter_.end(), [&](std::uint64_t a) {
      return a >= line.start - std::min(line.start, near_bytes) && a < line.end + near_bytes;
    });
  }

  void flush() {
    if (!joined_.end) return;
    char text[longest_joined];
    const int size = snprintf(text, sizeof text, "%llx-%llx rw-p 00000000 00:00 0", static_cast<unsigned long long>(joined_.start),
                              static_cast<unsigned long long>(joined_.end));
    joined_ = {};
    write({text, static_cast<std::size_t>(size)});
  }

  void write(std::string_view line) {
    cut_ |= into_.size() - size_ <= line.size();
    if (cut_) return;
    std::memcpy(into_.data() + size_, line.data(), line.size());
    size_ += line.size();
    into_[size_++] = '\n';
    ++count_;
  }

  std::span<char> into_;
  std::span<const std::uint64_t> that_matter_;
  std::size_t size_ = 0, count_ = 0, lost_ = 0;
  Line joined_;
  bool cut_ = false;
};

void read_lines(int fd, std::span<char> buffer, Joiner& joiner) {
  std::size_t held = 0;
  for (;;) {
    const auto got = ::read(fd, buffer.data() + held, buffer.size() - held);
    if (got <= 0) return;
    held += static_cast<std::size_t>(got);
    std::string_view rest(buffer.data(), held);
    for (auto end = rest.find('\n'); end != rest.npos; end = rest.find('\n')) {
      joiner.add(rest.substr(0, end));
      rest.remove_prefix(end + 1);
    }
    held = rest.size() < buffer.size() ? rest.size() : 0;
    std::memmove(buffer.data(), rest.data(), held);
  }
}

}  // namespace

std::string_view copy_maps_file(int fd, std::span<const std::uint64_t> that_matter, ArenaWriter& arena) {
  std::size_t room = 0;
  std::byte* const into = arena.reserve(RecordType::file, sizeof(FileRecord) + 4096 + buffer_bytes, room);
  if (!into) return {};
  FileRecord record{};
  std::strcpy(record.name, "maps");
  std::memcpy(into, &record, sizeof record);
  char* const text = reinterpret_cast<char*>(into + sizeof record);
  // Read into the end of the room: the supervisor's own memory is all locked, and counted.
  const auto text_room = room - sizeof record - buffer_bytes;
  Joiner joiner({text, std::min(text_room, most_maps_bytes)}, that_matter);
  read_lines(fd, {text + text_room, buffer_bytes}, joiner);
  const auto size = joiner.finish();
  if (size) arena.commit(sizeof record + size);
  if (joiner.cut()) arena.gap("maps", "it was larger than the room kept for it", "");
  if (joiner.lost()) {
    char what[64];
    snprintf(what, sizeof what, "%zu more mappings", joiner.lost());
    arena.gap(what, "small ones far from everything that matters are kept as one where they touch", "");
  }
  return {text, size};
}

}  // namespace sigwhy::capture
