#include "target/control_groups.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <optional>

#include "base/owned_fd.h"
#include "target/kernel_text.h"

namespace sigwhy {

namespace {

// Of /proc/PID/cgroup and mountinfo; beside a recorded tree in a test.
std::string proc_text(const char* name, pid_t pid) {
  const char* test = getenv("SIGWHY_TEST_CGROUP_ROOT");
  char path[4096];
  if (test) snprintf(path, sizeof path, "%s/%s", test, name);
  else if (pid) snprintf(path, sizeof path, "/proc/%d/%s", pid, name);
  else snprintf(path, sizeof path, "/proc/self/%s", name);
  const OwnedFd fd(::open(path, O_RDONLY | O_CLOEXEC));
  std::string text;
  char part[4096];
  for (ssize_t got = 0; fd && (got = ::read(fd.get(), part, sizeof part)) > 0;) text.append(part, static_cast<std::size_t>(got));
  return text;
}

struct Mount {
  std::string root;   // which part of the hierarchy is mounted
  std::string point;  // where
};

bool has_option(std::string_view options, std::string_view wanted) {
  while (!options.empty()) {
    const auto end = std::min(options.find(','), options.size());
    if (options.substr(0, end) == wanted) return true;
    options.remove_prefix(std::min(end + 1, options.size()));
  }
  return false;
}

// "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory"
std::vector<Mount> mounts_of(int version, std::string_view controller) {
  const std::string text = proc_text("mountinfo", 0);
  std::vector<Mount> found;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    const auto fields = split(std::string_view(text).substr(at, end - at), ' ');
    at = end + 1;
    const auto dash = std::ranges::find(fields, "-");
    if (fields.size() < 6 || fields.end() - dash < 4) continue;
    const bool fits = version == 2 ? dash[1] == "cgroup2" : dash[1] == "cgroup" && has_option(dash[3], controller);
    if (fits) found.push_back({unescaped(fields[3]), unescaped(fields[4])});
  }
  return found;
}

// The path below the mount's root; absent: the mount does not show that group.
std::optional<std::string> below(const std::string& root, const std::string& path) {
  if (root == "/") return path;
  // A namespace shows only that the mount begins above it, not by which names one gets down again.
  if (root.starts_with("/..")) return std::nullopt;
  if (path == root) return "/";
  if (path.starts_with(root + "/")) return path.substr(root.size());
  return std::nullopt;
}

std::vector<GroupPlace> levels_below(const Mount& mount, int version, const std::string& path, std::string rest) {
  const char* test = getenv("SIGWHY_TEST_CGROUP_ROOT");
  std::vector<GroupPlace> levels;
  std::string whole = path;
  for (;;) {
    levels.push_back({version, whole.empty() ? "/" : whole, (test ? test : "") + mount.point + (rest == "/" ? "" : rest)});
    if (rest.empty() || rest == "/") return levels;
    const auto name = rest.rfind('/');
    whole.resize(whole.size() - std::min(whole.size(), rest.size() - name));
    rest.resize(name);
  }
}

}  // namespace

// Where a version 1 hierarchy has the controller, the version 2 line beside it counts for nothing here.
std::string_view group_line(std::string_view text, std::string_view controller) {
  std::string_view unified;
  while (!text.empty()) {
    const auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const auto first = line.find(':'), second = line.find(':', first + 1);
    if (second == line.npos) continue;
    if (has_option(line.substr(first + 1, second - first - 1), controller)) return line;
    if (line.starts_with("0::")) unified = line;
  }
  return unified;
}

std::string group_line_of(pid_t pid, std::string_view controller) {
  return std::string(group_line(proc_text("cgroup", pid), controller));
}

std::vector<GroupPlace> group_places(const std::string& line, std::string_view controller) {
  const auto first = line.find(':'), second = line.find(':', first + 1);
  if (second == line.npos) return {};
  const int version = line.starts_with("0::") ? 2 : 1;
  const std::string path = line.substr(second + 1);
  if (path.starts_with("/..")) return {};  // outside of what our namespace shows
  const auto mounts = mounts_of(version, controller);
  for (const Mount& mount : mounts)
    if (auto rest = below(mount.root, path)) return levels_below(mount, version, path, *rest);
  // A container that was given only its own group, under a name from outside: the mount is the group.
  if (mounts.empty()) return {};
  return levels_below(mounts[0], version, path == "/" ? path : mounts[0].root, "/");
}

}  // namespace sigwhy
