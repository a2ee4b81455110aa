#include "capture/process_room.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/owned_fd.h"

namespace sigwhy::capture {

namespace {

constexpr unsigned long many = 64;

std::string_view read_start(const std::string& path, char* into, std::size_t room) {
  const OwnedFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  const auto got = fd ? ::read(fd.get(), into, room) : 0;
  return {into, got > 0 ? static_cast<std::size_t>(got) : 0};
}

// "8:pids:/job_17" in version 1, "0::/job_17" in version 2.
std::optional<std::string_view> path_behind(std::string_view cgroups, std::string_view name) {
  const auto at = cgroups.find(name);
  if (at == cgroups.npos) return std::nullopt;
  cgroups.remove_prefix(at + name.size());
  return cgroups.substr(0, cgroups.find('\n'));
}

bool groups_allow_many(const std::string& mount, std::string_view path) {
  while (path.ends_with('/')) path.remove_suffix(1);
  for (;;) {
    char text[32];
    const auto limit = read_start(mount + std::string(path) + "/pids.max", text, sizeof text);
    unsigned long most = 0;
    if (std::from_chars(limit.data(), limit.data() + limit.size(), most).ec == std::errc() && most <= many) return false;
    const auto slash = path.rfind('/');
    if (slash == path.npos) return true;
    path = path.substr(0, slash);
  }
}

}  // namespace

bool may_have_many_processes() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NPROC, &limit) == 0 && limit.rlim_cur <= many) return false;
  char text[4096];
  const auto cgroups = read_start("/proc/self/cgroup", text, sizeof text);
  if (const auto path = path_behind(cgroups, ":pids:")) return groups_allow_many("/sys/fs/cgroup/pids", *path);
  const auto path = path_behind(cgroups, "0::");
  return !path || groups_allow_many("/sys/fs/cgroup", *path);
}

}  // namespace sigwhy::capture
