// Where the memory control groups of a process lie in the file system. /proc/PID/cgroup gives the path inside the
// hierarchy, mountinfo where that hierarchy is mounted and which part of it: in a container the mount often begins at
// the container's own group, so the same path lies under another directory.
#pragma once
#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

namespace sigwhy {

// One level, found but not opened.
struct GroupPlace {
  int version = 2;
  std::string path;    // in the hierarchy as far as we see it: "/job_17"
  std::string folder;  // where its files are
};

// The line of a text of /proc/PID/cgroup that counts for memory; empty: none.
std::string_view memory_group_line(std::string_view cgroup_text);
std::string memory_group_line_of(pid_t pid);
// The levels of such a line, through this process's own mounts. Empty: none is to be seen.
std::vector<GroupPlace> memory_group_places(const std::string& line);

}  // namespace sigwhy
