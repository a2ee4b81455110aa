#include "native/regions.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <sstream>

#include "native/file_system.h"
#include "native/mapped_file.h"
#include "native/reach.h"

namespace sigwhy::native {

namespace {

constexpr std::uint64_t thread_heap_bytes = 64u << 20;

bool is_anonymous(const Mapping& m) { return m.path.empty() || m.path.starts_with("[anon"); }
bool is_inaccessible(const Mapping& m) { return !m.readable && !m.writable && !m.executable; }

std::string permissions_of(const Mapping& m) {
  return {m.readable ? 'r' : '-', m.writable ? 'w' : '-', m.executable ? 'x' : '-', m.shared ? 's' : 'p'};
}

// What the kernel's name says; unknown for anonymous memory.
RegionKind kind_by_name(std::string_view path) {
  if (path == "[heap]") return RegionKind::heap;
  if (path == "[stack]") return RegionKind::stack;
  if (path.starts_with("[stack:") || path.starts_with("[anon: glibc: pthread stack")) return RegionKind::thread_stack;
  if (path.starts_with("[anon: glibc: malloc arena")) return RegionKind::heap;
  if (path.starts_with("[v") || path.starts_with("[uprobes")) return RegionKind::vdso;
  if (path.starts_with("/dev/shm/") || path.starts_with("/SYSV") || path.starts_with("/memfd:") ||
      path.starts_with("memfd:") || path.starts_with("/dev/zero"))
    return RegionKind::shared_memory;
  if (path.starts_with("/dev/") || path.starts_with("anon_inode:")) return RegionKind::device;
  return path.starts_with("/") ? RegionKind::file : RegionKind::unknown;
}

bool is_thread_heap(const std::vector<Mapping>& mappings, std::size_t i) {
  const auto& m = mappings[i];
  if (m.start.value % thread_heap_bytes != 0 || !m.readable || !m.writable || m.shared) return false;
  if (i + 1 == mappings.size() || m.end.value - m.start.value >= thread_heap_bytes) return false;
  const auto& next = mappings[i + 1];
  return next.start == m.end && is_anonymous(next) && is_inaccessible(next) &&
         next.end.value - m.start.value >= thread_heap_bytes;
}

RegionKind kind_of(const std::vector<Mapping>& mappings, std::size_t i) {
  const auto& m = mappings[i];
  if (!is_anonymous(m)) return kind_by_name(m.path);
  if (is_inaccessible(m)) return RegionKind::guard;
  if (const auto named = kind_by_name(m.path); named != RegionKind::unknown) return named;
  return is_thread_heap(mappings, i) ? RegionKind::heap : RegionKind::anonymous;
}

// A thread's stack is where its stack pointer is; one that has overflowed points into the guard below.
void mark_thread_stacks(const Target& target, std::vector<Region>& regions) {
  for (const auto& thread : target.threads) {
    if (!thread.registers) continue;
    auto at = mapping_at(target.mappings, {thread.registers->rsp});
    if (!at) continue;
    const bool guard_below = regions[*at].kind == RegionKind::guard && *at + 1 < regions.size() &&
                             regions[*at + 1].start == regions[*at].end;
    if (guard_below) ++*at;
    if (regions[*at].kind == RegionKind::anonymous) regions[*at].kind = RegionKind::thread_stack;
  }
}

// Inodes of different devices cannot be compared (overlays show another one than their layers).
bool is_other_file(const Mapping& m, const struct stat& now) {
  const std::uint64_t device = static_cast<std::uint64_t>(major(now.st_dev)) << 20 | minor(now.st_dev);
  return device == m.device && now.st_ino != m.inode;
}

// Shared memory is mostly unlinked at once; the file system it lies on is still the one at /dev/shm.
void ask_shared_memory(const Target& target, Region& region) {
  const int root = target.root ? target.root.get() : AT_FDCWD;
  const OwnedFd folder(openat(root, target.root ? "dev/shm" : "/dev/shm", O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (folder) region.file_system = file_system_of(folder.get());
}

// "size type total free": asked while the process still stood.
bool answered_at_death(const Target& target, Region& region) {
  const auto found = target.files.find("fault_file");
  if (found == target.files.end()) return false;
  std::uint64_t size = 0;
  unsigned long type = 0;
  FileSystem system;
  std::istringstream(found->second) >> size >> type >> system.total_bytes >> system.free_bytes;
  system.type = file_system_name(type);
  region.file_bytes = size;
  region.file_system = std::move(system);
  return true;
}

}  // namespace

std::vector<Region> regions_of(const Target& target) {
  std::vector<Region> regions;
  for (std::size_t i = 0; i < target.mappings.size(); ++i) {
    const auto& m = target.mappings[i];
    regions.push_back({.start = m.start,
                       .end = m.end,
                       .permissions = permissions_of(m),
                       .offset = m.offset,
                       .path = m.path,
                       .kind = kind_of(target.mappings, i)});
  }
  mark_thread_stacks(target, regions);
  return regions;
}

const Region* region_at(const std::vector<Region>& regions, Address a) {
  const auto above = std::ranges::upper_bound(regions, a, {}, &Region::start);
  if (above == regions.begin() || a >= std::prev(above)->end) return nullptr;
  return &*std::prev(above);
}

void look_at_file(const Target& target, Region& region) {
  if (answered_at_death(target, region)) return;
  const bool has_file = region.kind == RegionKind::file || region.kind == RegionKind::shared_memory;
  const Mapping* m = mapping_of(target, region.start);
  if (!has_file || !m || !region.path.starts_with('/')) return;
  if (is_deleted(region.path)) {
    if (region.path.starts_with("/dev/shm/")) ask_shared_memory(target, region);
    return;
  }
  const OwnedFd file = open_in_root(target, region.path);
  struct stat now {};
  if (!file || fstat(file.get(), &now) != 0 || is_other_file(*m, now)) return;
  region.file_bytes = static_cast<std::uint64_t>(now.st_size);
  region.file_system = file_system_of(file.get());
}

}  // namespace sigwhy::native
