#include "capture/fault_file.h"

#include <stdio.h>
#include <sys/stat.h>
#include <sys/vfs.h>

namespace sigwhy::capture {

// Whether the file behind the address was cut or its file system is full can be asked only now: with the process
// its mounts may go (a container's tmpfs). The link in map_files is exact but needs privilege; the path may by now
// name another file.
void record_fault_file(const GrabRequest& r, const MapTable& maps, ArenaWriter& arena) {
  if (!r.info || r.info->si_signo != SIGBUS || r.info->si_code <= 0) return;
  const MapEntry* map = maps.at(Address{reinterpret_cast<std::uint64_t>(r.info->si_addr)});
  if (!map || !maps.path(*map).starts_with('/')) return;
  char path[4200];
  snprintf(path, sizeof path, "/proc/%d/map_files/%lx-%lx", r.pid, map->start, map->end);
  struct stat file {};
  struct statfs system {};
  if (::stat(path, &file) != 0) {
    const auto name = maps.path(*map);
    snprintf(path, sizeof path, "/proc/%d/root%.*s", r.pid, static_cast<int>(name.size()), name.data());
    if (::stat(path, &file) != 0) return;
  }
  if (::statfs(path, &system) != 0) return;
  char text[128];
  const auto block = static_cast<unsigned long>(system.f_bsize);
  const int size = snprintf(text, sizeof text, "%ld %ld %lu %lu", file.st_size, static_cast<long>(system.f_type),
                            block * system.f_blocks, block * system.f_bavail);
  arena.file("fault_file", text, static_cast<std::size_t>(size));
}

}  // namespace sigwhy::capture
