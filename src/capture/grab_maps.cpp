#include "capture/grab_maps.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstring>

#include "base/owned_fd.h"

namespace sigwhy::capture {

namespace {

constexpr std::size_t most_maps_bytes = 1u << 20;
constexpr std::size_t most_data_bytes = 384u << 10;  // of it for mappings that nothing needs
constexpr std::size_t kept_whole = 2000;           // that many are kept in any case
constexpr std::uint64_t small_bytes = 128u << 10;  // thread stacks and large blocks are larger
constexpr std::uint64_t near_bytes = 64u << 10;
constexpr std::size_t longest_joined = 64;
constexpr std::size_t longest_file = 16;  // mappings of one library
constexpr std::size_t most_stacks = 2048;

// A line holds a path of at most 4096 bytes, in which the kernel may write each as four.
constexpr std::size_t buffer_bytes = 20u << 10;

struct Line {
  std::uint64_t start = 0, end = 0;
  bool executable = false;
  bool plain = false;  // private, no code, no file, no name
  bool closed = false;  // nothing may be done with it
  bool stack = false;   // it looks like a thread's
  std::string_view path;
};

// "7f10-7f20 rw-p 00000000 00:00 0", and perhaps a path: what stands before one holds neither '/' nor '['.
Line parse(std::string_view text) {
  Line line;
  const char* const end = text.data() + text.size();
  auto at = std::from_chars(text.data(), end, line.start, 16).ptr;
  if (at == end || *at != '-') return line;
  at = std::from_chars(at + 1, end, line.end, 16).ptr;
  const std::string_view rest(at, static_cast<std::size_t>(end - at));
  line.executable = rest.size() > 5 && rest[3] == 'x';
  line.closed = rest.starts_with(" ---p");
  line.plain = rest.size() > 5 && rest[3] == '-' && rest[4] == 'p' && (rest.ends_with(" 0") || rest.ends_with(" 0 "));
  line.path = rest.substr(std::min(rest.find_first_of("/["), rest.size()));
  return line;
}

// [heap], [stack], [vdso]; a program may name its own anonymous memory [anon:...].
bool is_special(std::string_view path) { return path.starts_with('[') && !path.starts_with("[anon"); }

class Selection {
 public:
  Selection(std::span<char> into, std::span<const std::uint64_t> that_matter) : into_(into), that_matter_(that_matter) {}

  void add(std::string_view raw) {
    Line line = parse(raw);
    if (line.path != "[vsyscall]") ++seen_;  // it is no mapping by the kernel's own count
    const bool joins = may_join(line);
    line.stack = line.plain && guarded_from_ == line.start && line.end - line.start > small_bytes && stacks_++ < most_stacks;
    guarded_from_ = line.closed ? line.end : 0;
    if (joins && joined_.end == line.start) {
      joined_.end = line.end;
      ++joined_to_others_;
      return;
    }
    flush();
    if (joins) joined_ = line;
    else write(raw, line);
  }

  std::size_t finish() {
    flush();
    close_file();
    return size_;
  }
  bool cut() const { return cut_; }
  std::size_t seen() const { return seen_; }
  std::size_t joined_to_others() const { return joined_to_others_; }
  std::size_t left_out() const { return left_out_; }

 private:
  // Mappings of one file that follow one another: the one with a library's code is among them, but not the first.
  struct OfFile {
    std::size_t at = 0;  // in the text
    std::size_t lines = 0;
    std::string_view path;
    std::uint64_t end = 0;
    bool needed = false;
  };

  bool matters(const Line& line) const {
    return std::ranges::any_of(that_matter_, [&](std::uint64_t a) {
      return a >= line.start - std::min(line.start, near_bytes) && a < line.end + near_bytes;
    });
  }

  bool may_join(const Line& line) const {
    return line.plain && count_ >= kept_whole && line.end - line.start <= small_bytes && !matters(line);
  }

  void flush() {
    if (!joined_.end) return;
    char text[longest_joined];
    const int size = snprintf(text, sizeof text, "%llx-%llx rw-p 00000000 00:00 0", static_cast<unsigned long long>(joined_.start),
                              static_cast<unsigned long long>(joined_.end));
    const Line line = joined_;
    joined_ = {};
    write({text, static_cast<std::size_t>(size)}, line);
  }

  // A library's zeroed data are anonymous and touch its last mapping.
  bool is_of_file(const Line& line) const {
    if (file_.lines == 0 || file_.lines >= longest_file) return false;
    return line.path.empty() ? file_.needed && line.start == file_.end : line.path == file_.path;
  }

  void close_file() {
    const auto bytes = size_ - file_.at;
    if (!file_.needed && data_bytes_ + bytes > most_data_bytes) {
      size_ = file_.at;
      left_out_ += file_.lines;
    } else if (!file_.needed) {
      data_bytes_ += bytes;
    }
    file_ = {.at = size_};
  }

  void write(std::string_view text, const Line& line) {
    if (!is_of_file(line)) close_file();
    cut_ |= into_.size() - size_ <= text.size();
    if (cut_) return;
    std::memcpy(into_.data() + size_, text.data(), text.size());
    size_ += text.size();
    if (!line.path.empty()) file_.path = {into_.data() + size_ - line.path.size(), line.path.size()};
    into_[size_++] = '\n';
    file_.needed |= line.stack || (line.executable && !line.path.empty()) || is_special(line.path) || matters(line);
    file_.end = line.end;
    ++file_.lines;
    ++count_;
  }

  std::span<char> into_;
  std::span<const std::uint64_t> that_matter_;
  std::size_t size_ = 0, count_ = 0, data_bytes_ = 0;
  std::size_t seen_ = 0, joined_to_others_ = 0, left_out_ = 0;
  Line joined_;
  OfFile file_;
  std::uint64_t guarded_from_ = 0;  // the end of a closed mapping that was the last
  std::size_t stacks_ = 0;
  bool cut_ = false;
};

void read_lines(int fd, std::span<char> buffer, Selection& selection) {
  std::size_t held = 0;
  for (;;) {
    const auto got = ::read(fd, buffer.data() + held, buffer.size() - held);
    if (got <= 0) return;
    held += static_cast<std::size_t>(got);
    std::string_view rest(buffer.data(), held);
    for (auto end = rest.find('\n'); end != rest.npos; end = rest.find('\n')) {
      selection.add(rest.substr(0, end));
      rest.remove_prefix(end + 1);
    }
    held = rest.size() < buffer.size() ? rest.size() : 0;
    std::memmove(buffer.data(), rest.data(), held);
  }
}

void say_what_is_missing(const Selection& selection, ArenaWriter& arena) {
  if (selection.cut()) arena.gap("maps", "it was larger than the room kept for it", "");
  const auto fewer = selection.joined_to_others() + selection.left_out();
  if (!fewer) return;
  char what[64];
  snprintf(what, sizeof what, "%zu more mappings", fewer);
  arena.gap(what,
            selection.left_out() ? "there is room for a few thousand of data; of more, those near what matters are kept"
                                 : "small ones far from everything that matters are kept as one where they touch",
            "");
}

void record_count(std::size_t count, bool may_open, ArenaWriter& arena) {
  const OwnedFd fd(may_open ? ::open("/proc/sys/vm/max_map_count", O_RDONLY | O_CLOEXEC) : -1);
  char most[24], text[64];
  const auto got = fd ? ::read(fd.get(), most, sizeof most) : 0;
  const int size = snprintf(text, sizeof text, "%zu %.*s\n", count, static_cast<int>(std::max<ssize_t>(got, 0)), most);
  arena.file("mapping_count", text, static_cast<std::size_t>(size));
}

}  // namespace

std::string_view copy_maps_file(int fd, bool may_open, std::span<const std::uint64_t> that_matter, ArenaWriter& arena) {
  std::size_t room = 0;
  std::byte* const into = arena.reserve(RecordType::file, sizeof(FileRecord) + 4096 + buffer_bytes, room);
  if (!into) return {};
  FileRecord record{};
  std::strcpy(record.name, "maps");
  std::memcpy(into, &record, sizeof record);
  char* const text = reinterpret_cast<char*>(into + sizeof record);
  // Read into the end of the room: the supervisor's own memory is all locked, and counted.
  const auto text_room = room - sizeof record - buffer_bytes;
  Selection selection({text, std::min(text_room, most_maps_bytes)}, that_matter);
  read_lines(fd, {text + text_room, buffer_bytes}, selection);
  const auto size = selection.finish();
  if (size) arena.commit(sizeof record + size);
  say_what_is_missing(selection, arena);
  record_count(selection.seen(), may_open, arena);
  return {text, size};
}

}  // namespace sigwhy::capture
