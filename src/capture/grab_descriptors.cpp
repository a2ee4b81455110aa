#include "capture/grab_descriptors.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string_view>

#include "base/owned_fd.h"

namespace sigwhy::capture {

namespace {

constexpr std::size_t most_numbers = 512, most_counted = 1u << 15, least_text_bytes = 1024, most_text_bytes = 16u << 10;

struct Place {
  long long offset = 0;
  unsigned long flags = 0;
};

Place place_of(int folder, const char* number) {
  char path[300], text[512];
  snprintf(path, sizeof path, "../fdinfo/%s", number);
  const OwnedFd fd(::openat(folder, path, O_RDONLY | O_CLOEXEC));
  const auto size = fd ? ::read(fd.get(), text, sizeof text - 1) : 0;
  text[size > 0 ? size : 0] = '\0';
  Place place;
  sscanf(text, "pos: %lld flags: %lo", &place.offset, &place.flags);
  return place;
}

bool is_of_interest(std::string_view path) {
  if (!path.starts_with('/')) return false;
  for (const std::string_view folder : {"/dev/", "/proc/", "/sys/", "/memfd:"})
    if (path.starts_with(folder)) return false;
  return !path.ends_with(" (deleted)");
}

struct Lines {
  char* text;
  std::size_t room, used = 0, seen = 0;

  void add(int folder, const char* number) {
    char path[2048], line[2200];
    const auto size = ::readlinkat(folder, number, path, sizeof path - 1);
    if (size <= 0 || !is_of_interest({path, static_cast<std::size_t>(size)})) return;
    path[size] = '\0';
    if (std::strchr(path, '\n')) return;
    const Place place = place_of(folder, number);
    const int length = snprintf(line, sizeof line, "%s %lld %lo %s\n", number, place.offset, place.flags, path);
    if (length <= 0 || used + static_cast<std::size_t>(length) > room) return;
    std::memcpy(text + used, line, static_cast<std::size_t>(length));
    used += static_cast<std::size_t>(length);
  }
};

// Since Linux 6.2 the folder's size says how many; before, they are counted, unless there are so many that the program
// would stand still for long.
void record_count(int folder, std::size_t seen, ArenaWriter& arena) {
  struct stat status {};
  const bool told = ::fstat(folder, &status) == 0 && status.st_size > 0;
  if (!told && seen > most_counted) return;
  char text[32];
  const int length = snprintf(text, sizeof text, "%zu\n", told ? static_cast<std::size_t>(status.st_size) : seen);
  arena.file("descriptor_count", text, static_cast<std::size_t>(length));
}

}  // namespace

void copy_descriptors(const GrabRequest& request, ArenaWriter& arena) {
  char path[64];
  std::size_t room = 0;
  if (!request.may_open) return;
  snprintf(path, sizeof path, "/proc/%d/fd", request.pid);
  const OwnedFd folder(::open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  std::byte* into = folder ? arena.reserve(RecordType::file, sizeof(FileRecord) + least_text_bytes, room) : nullptr;
  if (!into) return;
  const FileRecord record{"descriptors"};
  std::memcpy(into, &record, sizeof record);
  Lines lines{.text = reinterpret_cast<char*>(into + sizeof record),
              .room = std::min(room - sizeof record, most_text_bytes)};
  // opendir() would allocate
  alignas(dirent64) char entries[4096];
  for (long got; lines.seen <= most_counted &&
                 (got = ::syscall(SYS_getdents64, folder.get(), entries, sizeof entries)) > 0;)
    for (long at = 0; at < got;) {
      const auto* entry = reinterpret_cast<const dirent64*>(entries + at);
      if (entry->d_reclen == 0) break;
      if (entry->d_name[0] != '.' && ++lines.seen <= most_numbers) lines.add(folder.get(), entry->d_name);
      at += entry->d_reclen;
    }
  // An empty one says that it was looked.
  if (lines.used == 0) lines.text[lines.used++] = '\n';
  arena.commit(sizeof record + lines.used);
  record_count(folder.get(), lines.seen, arena);
}

}  // namespace sigwhy::capture
