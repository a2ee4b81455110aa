#include "capture/last_words.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "base/owned_fd.h"
#include "capture/read_again.h"

namespace sigwhy::capture {

namespace {

constexpr off_t most_bytes = 16 << 10;

}  // namespace

StderrStart StderrStart::now() {
  struct stat status {};
  if (fstat(2, &status) != 0 || !S_ISREG(status.st_mode)) return {};
  return {status.st_dev, status.st_ino, status.st_size};
}

void add_last_words(pid_t holder, const StderrStart& start, ArenaWriter& arena) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/fd/2", holder);
  struct stat status {};
  if (::stat(path, &status) != 0 || !S_ISREG(status.st_mode)) return;
  const OwnedFd fd(::open(path, O_RDONLY | O_CLOEXEC));
  if (!fd) return;
  // A file that is shorter now was emptied meanwhile: all of it is new.
  const bool same = status.st_dev == start.device && status.st_ino == start.inode && status.st_size >= start.bytes;
  off_t at = std::max(same ? start.bytes : 0, status.st_size - most_bytes);
  TextRecord out(arena, "stderr_tail");
  char piece[4096];
  while (at < status.st_size) {
    const auto got = ::pread(fd.get(), piece,
                             std::min<std::size_t>(sizeof piece, static_cast<std::size_t>(status.st_size - at)), at);
    if (got <= 0) break;
    out.bytes({piece, static_cast<std::size_t>(got)});
    at += got;
  }
}

}  // namespace sigwhy::capture
