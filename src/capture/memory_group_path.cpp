#include "capture/memory_group_path.h"

#include <fcntl.h>
#include <unistd.h>

#include <charconv>
#include <string_view>

#include "base/owned_fd.h"

namespace sigwhy::capture {

namespace {

constexpr std::uint64_t no_limit_bytes = std::uint64_t{1} << 60;  // version 1 writes a huge number for "none"
constexpr int most_levels = 32;

std::string file_text(const std::string& path) {
  const OwnedFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::string text;
  char buffer[4096];
  for (ssize_t got = 0; fd && text.size() < (1u << 20) && (got = ::read(fd.get(), buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(got));
  return text;
}

std::string_view next_line(std::string_view& rest) {
  const auto end = std::min(rest.find('\n'), rest.size());
  const auto line = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return line;
}

std::string_view word(std::string_view line, int index) {
  for (; index > 0; --index) {
    const auto blank = line.find(' ');
    if (blank == line.npos) return {};
    line.remove_prefix(blank + 1);
  }
  return line.substr(0, line.find(' '));
}

bool lists(std::string_view commas, std::string_view wanted) {
  while (!commas.empty()) {
    const auto end = std::min(commas.find(','), commas.size());
    if (commas.substr(0, end) == wanted) return true;
    commas.remove_prefix(std::min(end + 1, commas.size()));
  }
  return false;
}

// "4:memory:/job_17" in version 1, "0::/job_17" in version 2; both where both are mounted, and then memory is where
// it is named.
std::string_view path_in(std::string_view cgroups, bool version_1) {
  while (!cgroups.empty()) {
    const auto line = next_line(cgroups);
    const auto first = line.find(':'), second = first == line.npos ? first : line.find(':', first + 1);
    if (second == line.npos) continue;
    const auto controllers = line.substr(first + 1, second - first - 1);
    if (version_1 ? lists(controllers, "memory") : controllers.empty()) return line.substr(second + 1);
  }
  return {};
}

struct Mount {
  std::string root, point;
};

// "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory"
std::optional<Mount> mount_of(std::string_view mounts, bool version_1) {
  while (!mounts.empty()) {
    const auto line = next_line(mounts);
    const auto dash = line.find(" - ");
    if (dash == line.npos) continue;
    const auto tail = line.substr(dash + 3);
    if (word(tail, 0) != (version_1 ? "cgroup" : "cgroup2")) continue;
    if (version_1 && !lists(word(tail, 2), "memory")) continue;
    return Mount{std::string(word(line, 3)), std::string(word(line, 4))};
  }
  return std::nullopt;
}

}  // namespace

std::optional<MemoryGroupPath> memory_group_of(pid_t pid) {
  const auto cgroups = file_text("/proc/" + std::to_string(pid) + "/cgroup");
  const auto mounts = file_text("/proc/self/mountinfo");
  for (const bool version_1 : {true, false}) {
    const auto path = path_in(cgroups, version_1);
    const auto mount = path.empty() ? std::nullopt : mount_of(mounts, version_1);
    if (!mount) continue;
    MemoryGroupPath group{version_1 ? 1 : 2, mount->point, mount->point, std::string(path)};
    auto below = path;
    if (mount->root != "/" && below.starts_with(mount->root)) below.remove_prefix(mount->root.size());
    else if (mount->root != "/") below = {};
    while (below.ends_with('/')) below.remove_suffix(1);
    group.directory += below;
    return group;
  }
  return std::nullopt;
}

std::optional<MemoryGroupPath> MemoryGroupPath::outer() const {
  if (directory.size() <= mount.size()) return std::nullopt;
  MemoryGroupPath group = *this;
  group.directory.resize(directory.rfind('/'));
  group.path.resize(std::min(path.rfind('/'), path.size()));
  if (group.path.empty()) group.path = "/";
  return group;
}

std::optional<std::uint64_t> MemoryGroupPath::limit_bytes() const {
  const auto text = file_text(directory + (version == 1 ? "/memory.limit_in_bytes" : "/memory.max"));
  std::uint64_t bytes = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), bytes).ec != std::errc()) return std::nullopt;
  return bytes < no_limit_bytes ? std::optional(bytes) : std::nullopt;
}

MemoryGroupPath nearest_limited(const MemoryGroupPath& group) {
  std::optional<MemoryGroupPath> at = group;
  for (int level = 0; at && level < most_levels; ++level, at = at->outer())
    if (at->limit_bytes()) return *at;
  return group;
}

}  // namespace sigwhy::capture
