// Where the control groups of a process lie in the file system. /proc/PID/cgroup gives the path inside the hierarchy,
// mountinfo where that hierarchy is mounted and which part of it: in a container the mount often begins at the
// container's own group, so the same path lies under another directory. Version 2 has one hierarchy for all controllers,
// version 1 one for each ("memory", "pids"); both are in use side by side.
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

// The line of a text of /proc/PID/cgroup that counts for a controller; empty: none.
std::string_view group_line(std::string_view cgroup_text, std::string_view controller);
// The same of a process; 0: this one.
std::string group_line_of(pid_t pid, std::string_view controller);
// The levels of such a line, its own first and then outwards, through this process's own mounts. Empty: none is to be
// seen.
std::vector<GroupPlace> group_places(const std::string& line, std::string_view controller);

}  // namespace sigwhy
