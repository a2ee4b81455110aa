#include "capture/read_again.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>

namespace sigwhy::capture {

namespace {

constexpr std::size_t least_room = 512;
char buffer[read_again_bytes];

}  // namespace

OwnedFd to_keep(OwnedFd low) {
  static const int most = [] {
    rlimit limit{};
    return getrlimit(RLIMIT_NOFILE, &limit) == 0 ? static_cast<int>(std::min<rlim_t>(limit.rlim_cur, 1 << 20) / 2) : 0;
  }();
  OwnedFd high(low ? fcntl(low.get(), F_DUPFD_CLOEXEC, 10) : -1);
  return high.get() < most ? std::move(high) : OwnedFd();
}

OwnedFd open_again(const std::string& path) {
  OwnedFd fd = to_keep(OwnedFd(::open(path.c_str(), O_RDONLY | O_CLOEXEC)));
  if (!fd || ::pread(fd.get(), buffer, sizeof buffer, 0) < 0) return {};
  return fd;
}

// A file of /proc may come in several parts.
std::string_view read_again(int fd) {
  std::size_t size = 0;
  while (fd >= 0 && size < sizeof buffer) {
    const auto got = ::pread(fd, buffer + size, sizeof buffer - size, static_cast<off_t>(size));
    if (got <= 0) break;
    size += static_cast<std::size_t>(got);
  }
  return {buffer, size};
}

std::string_view read_short_again(const OwnedFd& fd) {
  const auto got = fd ? ::pread(fd.get(), buffer, sizeof buffer, 0) : 0;
  return {buffer, got > 0 ? static_cast<std::size_t>(got) : 0};
}

TextRecord::TextRecord(ArenaWriter& arena, const char* name, std::size_t most) : arena_(arena) {
  std::byte* into = arena.reserve(RecordType::file, sizeof(FileRecord) + least_room, room_);
  if (!into) return;
  FileRecord record{};
  strncpy(record.name, name, sizeof record.name - 1);
  memcpy(into, &record, sizeof record);
  text_ = reinterpret_cast<char*>(into + sizeof record);
  room_ = std::min(room_ - sizeof record, most);
}

TextRecord::~TextRecord() {
  if (text_ && size_) arena_.commit(sizeof(FileRecord) + size_);
}

void TextRecord::line(const char* format, ...) {
  if (!text_) return;
  va_list values;
  va_start(values, format);
  const int wrote = vsnprintf(text_ + size_, room_ - size_, format, values);
  va_end(values);
  if (wrote > 0) size_ = std::min(size_ + static_cast<std::size_t>(wrote), room_);
}

void TextRecord::bytes(std::string_view text) {
  if (!text_) return;
  const auto size = std::min(text.size(), room_ - size_);
  memcpy(text_ + size_, text.data(), size);
  size_ += size;
}

}  // namespace sigwhy::capture
