// /proc/PID/smaps as it streams by: one call a mapping. The kernel counts pages for each of them, which takes
// milliseconds for gigabytes: only for a process that has ended, or when somebody asked. Opens and allocates nothing.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "base/function_ref.h"

namespace sigwhy::capture {

struct SmapsEntry {
  std::uint64_t start = 0, end = 0;
  bool readable = false, writable = false, executable = false, shared = false;
  std::uint64_t offset = 0, inode = 0;
  std::string_view path;  // valid during the call
  std::uint64_t resident_kib = 0, anonymous_kib = 0, swap_kib = 0;
};

// Takes the text piece by piece, however it is cut. What `visit` refers to must live as long.
class SmapsReader {
 public:
  explicit SmapsReader(FunctionRef<void(const SmapsEntry&)> visit) : visit_(visit) {}
  void take(std::string_view text);
  void end();

 private:
  void line(std::string_view line);
  bool begins_mapping(std::string_view line);

  FunctionRef<void(const SmapsEntry&)> visit_;
  SmapsEntry entry_;
  bool any_ = false;
  bool cut_ = false;  // the line was longer than the room for it: its end is passed over
  char path_[256];
  char rest_[512];  // the beginning of a line whose end has not come yet
  std::size_t rest_size_ = 0;
};

// From its beginning; /proc/PID/maps, which has the same lines without the figures, will do too. `buffer` is lent. False where it cannot be read.
bool read_smaps(int fd, std::span<char> buffer, FunctionRef<void(const SmapsEntry&)> visit);

}  // namespace sigwhy::capture
