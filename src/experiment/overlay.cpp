#include "experiment/overlay.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <vector>

#include "base/owned_fd.h"

namespace sigwhy::experiment {

namespace {

std::string by_descriptor(const OwnedFd& fd) { return "/proc/self/fd/" + std::to_string(fd.get()); }

OwnedFd folder_at(const std::string& path) {
  return OwnedFd(::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
}

bool only_some_users() {
  const OwnedFd fd(::open("/proc/self/uid_map", O_RDONLY | O_CLOEXEC));
  char text[128] = "";
  unsigned long inside = 0, outside = 0, count = 0;
  if (!fd || ::read(fd.get(), text, sizeof text - 1) <= 0) return false;
  return sscanf(text, "%lu %lu %lu", &inside, &outside, &count) == 3 && count < 4294967295ul;
}

// The root of an overlay has the owner and the mode of its upper folder. Where the owner cannot be given (it has no
// number in a user namespace), what the user may not write to must stay so.
void look_like(const std::string& upper, const std::string& lower, bool may_write, bool user_namespace) {
  struct stat found {};
  if (::stat(lower.c_str(), &found) != 0) return;
  mode_t mode = found.st_mode & 07777;
  const bool foreign = user_namespace && found.st_uid == nobody;
  if (foreign || ::chown(upper.c_str(), found.st_uid, found.st_gid) != 0) {
    mode |= 0500;
    mode = may_write ? mode | 0200 : mode & ~static_cast<mode_t>(0222);
  }
  ::chmod(upper.c_str(), mode);
}

// What a throw-away layer likes best first: no waiting for the disk, renamed folders.
std::vector<std::string> option_sets(bool user_attributes) {
  if (user_attributes) return {",userxattr,volatile", ",userxattr"};
  return {",redirect_dir=on,volatile", ",redirect_dir=on", ""};
}

}  // namespace

Overlays::Overlays(std::string layers) : layers_(std::move(layers)), user_attributes_(only_some_users()) {}

Result<void> Overlays::mount(const std::string& lower, const std::string& target, unsigned long flags, UpperKind kind,
                             std::uint64_t memory_bytes) {
  const std::string place = layers_ + "/" + std::to_string(count_++);
  const std::string upper = place + "/upper", work = place + "/work";
  ::mkdir(place.c_str(), 0700);
  if (kind == UpperKind::memory) {
    const std::string size = memory_bytes ? "size=" + std::to_string(memory_bytes) : "";
    if (::mount("tmpfs", place.c_str(), "tmpfs", 0, size.c_str()) != 0)
      return std::unexpected(errno_error("cannot mount a tmpfs", errno));
  }
  const bool may_write = ::access(lower.c_str(), W_OK) == 0;
  if (::mkdir(upper.c_str(), 0700) != 0 || ::mkdir(work.c_str(), 0700) != 0)
    return std::unexpected(errno_error("cannot make " + upper, errno));
  look_like(upper, lower, may_write, user_attributes_);
  const OwnedFd below = folder_at(lower), above = folder_at(upper), between = folder_at(work), at = folder_at(target);
  if (!below || !above || !between || !at) return std::unexpected(errno_error("cannot open " + lower, errno));
  int error = 0;
  for (const auto& more : option_sets(user_attributes_)) {
    const std::string options = "lowerdir=" + by_descriptor(below) + ",upperdir=" + by_descriptor(above) +
                                ",workdir=" + by_descriptor(between) + more;
    if (::mount("overlay", by_descriptor(at).c_str(), "overlay", flags, options.c_str()) == 0) return {};
    error = errno;
  }
  return std::unexpected(errno_error("cannot mount an overlay over " + lower, error));
}

Result<void> mount_same(const std::string& from, const std::string& target) {
  if (::mount(from.c_str(), target.c_str(), nullptr, MS_BIND | MS_REC, nullptr) == 0) return {};
  return std::unexpected(errno_error("cannot show " + from + " in the layer", errno));
}

Result<void> make_read_only(const std::string& target, unsigned long flags, bool with_those_below) {
  mount_attr attributes{};
  attributes.attr_set = MOUNT_ATTR_RDONLY;
  if (::mount_setattr(AT_FDCWD, target.c_str(), with_those_below ? AT_RECURSIVE : 0, &attributes, sizeof attributes) == 0)
    return {};
  // Before Linux 5.12 one mount at a time, and its other flags must be repeated.
  if (::mount(nullptr, target.c_str(), nullptr, MS_REMOUNT | MS_BIND | MS_RDONLY | flags, nullptr) == 0) return {};
  return std::unexpected(errno_error("cannot make " + target + " read-only", errno));
}

}  // namespace sigwhy::experiment
