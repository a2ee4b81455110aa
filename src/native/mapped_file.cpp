#include "native/mapped_file.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>

#include <array>
#include <cstring>
#include <optional>

namespace sigwhy::native {

namespace {

constexpr std::string_view deleted_mark = " (deleted)";
constexpr std::size_t page_bytes = 4096;
constexpr std::size_t least_comparable_bytes = 64;  // an ELF header

int open_below(int root, const char* path, int flags) {
  open_how how{};
  how.flags = static_cast<std::uint64_t>(flags);
  how.resolve = RESOLVE_IN_ROOT;
  const auto fd = syscall(SYS_openat2, root, path, &how, sizeof how);
  if (fd >= 0 || errno != ENOSYS) return static_cast<int>(fd);
  while (*path == '/') ++path;  // kernels before 5.6: follows absolute links out of the root
  return openat(root, path, flags);
}

// The mapping of the same file that starts at its first byte, at or below `mapping`.
const Mapping* first_mapping(const Target& target, const Mapping& mapping) {
  const Mapping* found = nullptr;
  for (const auto& m : target.mappings) {
    if (m.start > mapping.start) break;
    if (m.offset == 0 && m.inode == mapping.inode && m.path == mapping.path) found = &m;
  }
  return found;
}

// Whether memory and file agree on the first page; nothing where memory does not have it.
std::optional<bool> first_page_agrees(const Target& target, const Mapping& mapping, int fd) {
  const auto* first = first_mapping(target, mapping);
  if (!first || first->writable) return std::nullopt;
  std::array<std::byte, page_bytes> in_memory, in_file;
  const auto got = target.memory->read(first->start, in_memory);
  if (got < least_comparable_bytes) return std::nullopt;
  const auto read = pread(fd, in_file.data(), got, 0);
  // behind the end of a file shorter than a page memory holds zeroes
  const auto comparable = read < 0 ? 0 : static_cast<std::size_t>(read);
  return comparable >= least_comparable_bytes && !std::memcmp(in_memory.data(), in_file.data(), comparable);
}

// On overlayfs the inode in maps may be that of a lower layer, so there it proves nothing.
bool inode_proves_nothing(int fd) {
  struct statfs fs {};
  return fstatfs(fd, &fs) == 0 && fs.f_type == OVERLAYFS_SUPER_MAGIC;
}

bool is_the_mapped_one(const Target& target, const Mapping& mapping, int fd) {
  if (const auto agrees = first_page_agrees(target, mapping, fd)) return *agrees;
  if (is_deleted(mapping.path)) return false;
  struct stat status {};
  return fstat(fd, &status) == 0 && (status.st_ino == mapping.inode || inode_proves_nothing(fd));
}

OwnedFd open_regular(int root, const std::string& path) {
  const int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
  OwnedFd fd(root == AT_FDCWD ? ::open(path.c_str(), flags) : open_below(root, path.c_str(), flags));
  struct stat status {};
  if (!fd || fstat(fd.get(), &status) != 0) return {};
  if (!S_ISREG(status.st_mode)) {
    errno = EINVAL;
    return {};
  }
  return fd;
}

MappedFile open_below_root(const Target& target, int root, const Mapping& mapping) {
  MappedFile file;
  if (!mapping.path.starts_with('/')) {
    file.why = "it is no file";
    return file;
  }
  file.fd = open_regular(root, std::string(without_deleted(mapping.path)));
  if (!file.fd) {
    const bool gone = errno == ENOENT || errno == ENOTDIR;
    file.match = gone ? FileMatch::gone : FileMatch::unreadable;
    file.why = gone ? "the file is gone" : std::string("the file cannot be opened: ") + std::strerror(errno);
  } else if (is_the_mapped_one(target, mapping, file.fd.get())) {
    file.match = FileMatch::same;
  } else {
    file.match = FileMatch::changed;
    file.why = "the file on disk is no longer the one that was loaded";
    file.fd = OwnedFd();
  }
  return file;
}

}  // namespace

bool is_deleted(std::string_view path) { return path.ends_with(deleted_mark); }

std::string_view without_deleted(std::string_view path) {
  if (is_deleted(path)) path.remove_suffix(deleted_mark.size());
  return path;
}

OwnedFd open_in_root(const Target& target, const std::string& path) {
  return open_regular(target.root ? target.root.get() : AT_FDCWD, path);
}

MappedFile open_mapped_file(const Target& target, const Mapping& mapping) {
  auto file = open_below_root(target, target.root ? target.root.get() : AT_FDCWD, mapping);
  if (file.match == FileMatch::same || !target.root) return file;
  // The kernel writes a mapping's path as the reader of the list sees it: for a process in a chroot that is the
  // path from our own root.
  auto ours = open_below_root(target, AT_FDCWD, mapping);
  return ours.match == FileMatch::same ? std::move(ours) : std::move(file);
}

}  // namespace sigwhy::native
