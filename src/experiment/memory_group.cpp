#include "experiment/memory_group.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/owned_fd.h"
#include "target/control_groups.h"

namespace sigwhy::experiment {

namespace {

bool put(const std::string& file, const std::string& text) {
  const OwnedFd fd(::open(file.c_str(), O_WRONLY | O_CLOEXEC));
  return fd && ::write(fd.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

bool set_limit(const std::string& folder, int version, std::uint64_t bytes) {
  const std::string text = std::to_string(bytes);
  if (version == 2) {
    (void)put(folder + "/memory.swap.max", "0");
    return put(folder + "/memory.max", text);
  }
  // Not by memsw.limit_in_bytes: what meets that one is not counted as a hit of the limit.
  (void)put(folder + "/memory.swappiness", "0");
  return put(folder + "/memory.limit_in_bytes", text);
}

// In version 2 a group with the memory files exists only where the level above hands the controller down.
bool counts_memory(const std::string& folder, int version) {
  return ::access((folder + (version == 2 ? "/memory.max" : "/memory.limit_in_bytes")).c_str(), W_OK) == 0;
}

}  // namespace

Result<MemoryGroup> MemoryGroup::make(std::optional<std::uint64_t> limit_bytes) {
  static int count = 0;
  const std::string name = "/sigwhy-" + std::to_string(::getpid()) + "-" + std::to_string(count++);
  int error = ENOENT;
  for (const auto& level : group_places(group_line_of(::getpid(), "memory"), "memory")) {
    const std::string folder = level.folder + name;
    if (::mkdir(folder.c_str(), 0755) != 0) {
      error = errno;
      continue;
    }
    if (counts_memory(folder, level.version) && (!limit_bytes || set_limit(folder, level.version, *limit_bytes)))
      return MemoryGroup(folder, level.version);
    error = EPERM;
    ::rmdir(folder.c_str());
  }
  return std::unexpected(errno_error("cannot make a memory control group", error,
                                     "run as root, or in a session to which a memory group was delegated"));
}

MemoryGroup::~MemoryGroup() {
  if (folder_.empty()) return;
  // The last process has been reaped, but the kernel may still be taking it out of the group.
  for (int tries = 0; ::rmdir(folder_.c_str()) != 0 && errno == EBUSY && tries < 200; ++tries) ::poll(nullptr, 0, 10);
}

OwnedFd MemoryGroup::door() const {
  return OwnedFd(::open((folder_ + "/cgroup.procs").c_str(), O_WRONLY | O_CLOEXEC));
}

std::optional<std::uint64_t> MemoryGroup::peak_bytes() const {
  const OwnedFd fd(::open((folder_ + (version_ == 2 ? "/memory.peak" : "/memory.max_usage_in_bytes")).c_str(),
                          O_RDONLY | O_CLOEXEC));
  char text[64] = "";
  if (!fd || ::read(fd.get(), text, sizeof text - 1) <= 0) return std::nullopt;
  return strtoull(text, nullptr, 10);
}

}  // namespace sigwhy::experiment
