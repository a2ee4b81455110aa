#include "capture/process_room.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <string>

#include "base/owned_fd.h"
#include "target/control_groups.h"
#include "target/kernel_text.h"

namespace sigwhy::capture {

namespace {

constexpr unsigned long many = 64;

bool allows_many(const GroupPlace& group) {
  const OwnedFd fd(::open((group.folder + "/pids.max").c_str(), O_RDONLY | O_CLOEXEC));
  char text[32];
  const auto got = fd ? ::read(fd.get(), text, sizeof text) : 0;
  const auto most = number_at({text, got > 0 ? static_cast<std::size_t>(got) : 0});
  return most < 0 || most > static_cast<std::int64_t>(many);
}

}  // namespace

bool may_have_many_processes() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NPROC, &limit) == 0 && limit.rlim_cur <= many) return false;
  for (const GroupPlace& group : group_places(group_line_of(0, "pids"), "pids"))
    if (!allows_many(group)) return false;
  return true;
}

}  // namespace sigwhy::capture
