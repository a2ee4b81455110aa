#include "diagnose/mapped_file.h"

#include <signal.h>

namespace sigwhy::diagnose {

namespace {

bool is_shared_memory(const Region& r) {
  return r.path.starts_with("/dev/shm/") || (r.kind == RegionKind::shared_memory && r.path.starts_with("/"));
}

}  // namespace

std::optional<FileAccess> file_access(const Facts& f) {
  if (f.signal != SIGBUS || f.code != BUS_ADRERR || !f.memory || !f.memory->place.region) return std::nullopt;
  const std::size_t index = *f.memory->place.region;
  const Region& r = f.snapshot.regions[index];
  if (!r.file_bytes && !r.file_system) return std::nullopt;
  FileAccess a{.region = index, .offset = r.offset + (f.memory->address.value - r.start.value)};
  a.is_shared_memory = is_shared_memory(r);
  if (r.file_bytes) {
    a.file_bytes = *r.file_bytes;
    const std::uint64_t pages = (a.file_bytes + page_bytes - 1) / page_bytes;
    a.behind_end = a.offset / page_bytes >= pages;
  }
  // Huge pages run out by a count of their own that their file system does not tell.
  if (r.file_system && r.file_system->type != "hugetlbfs" && !a.behind_end) {
    a.is_full = r.file_system->free_bytes < page_bytes;
    a.is_nearly_full = r.file_system->free_bytes < nearly_nothing_bytes;
  }
  return a;
}

}  // namespace sigwhy::diagnose
