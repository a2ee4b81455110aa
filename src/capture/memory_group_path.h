// Where the memory control group of a process lies in the file system. /proc/PID/cgroup gives the path inside the
// hierarchy, mountinfo where that hierarchy is mounted and which part of it: in a container the mount often begins
// at the container's own group, so the same path lies under another directory.
#pragma once
#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

namespace sigwhy::capture {

struct MemoryGroupPath {
  int version = 2;        // of the interface
  std::string mount;      // "/sys/fs/cgroup/memory"
  std::string directory;  // "/sys/fs/cgroup/memory/job_17"
  std::string path;       // "/job_17", as the kernel's log names it

  // The group around this one, as far as it can be seen from here.
  std::optional<MemoryGroupPath> outer() const;
  std::optional<std::uint64_t> limit_bytes() const;
};

std::optional<MemoryGroupPath> memory_group_of(pid_t pid);

// From this group outwards the first that has a limit; where none has one, this group.
MemoryGroupPath nearest_limited(const MemoryGroupPath& group);

}  // namespace sigwhy::capture
