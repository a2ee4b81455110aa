// As the machine's root one overlay over "/" and one over every mount below does it. In a user namespace the kernel
// refuses "/": what is mounted below it is locked there, as nobody may look under it. So the tree is taken apart along
// the mounts: a folder with a mount below it becomes a plain folder in a small tmpfs, its entries get overlays each.
//
// A user namespace of an ordinary user knows one user and one group. overlayfs cannot copy up a folder of somebody
// else there (/var/tmp below /var), so such folders get overlays of their own where the user can write to them.
#include "experiment/new_root.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/owned_fd.h"
#include "experiment/mount_table.h"
#include "experiment/overlay.h"

namespace sigwhy::experiment {

namespace {

// No files of a user lie there: the kernel answers. A program in the layer may look, and may not set the machine.
bool is_kernel_view(const std::string& type) {
  constexpr std::array known = {"sysfs",   "cgroup",  "cgroup2",  "debugfs",  "tracefs",  "securityfs", "bpf",
                                "pstore",  "efivarfs", "configfs", "fusectl",  "selinuxfs", "binfmt_misc", "nsfs"};
  return std::ranges::find(known, type) != known.end();
}

bool is_folder(const std::string& path) {
  struct stat found {};
  return ::stat(path.c_str(), &found) == 0 && S_ISDIR(found.st_mode);
}

class Builder {
 public:
  explicit Builder(const NewRoot& wish)
      : wish_(wish), overlays_(wish.layers), root_(wish.layers + "/root"), mounts_(visible_mounts()) {}

  Result<void> build() {
    if (wish_.in_memory) {
      const std::string size = "mode=0700,size=" + std::to_string(wish_.bytes);
      if (::mount("tmpfs", wish_.layers.c_str(), "tmpfs", 0, size.c_str()) != 0)
        return std::unexpected(errno_error("cannot mount a tmpfs", errno));
    }
    if (::mkdir(root_.c_str(), 0755) != 0) return std::unexpected(errno_error("cannot make " + root_, errno));
    const auto whole = overlays_.has_user_attributes() ? failure("user namespace") : overlays_.mount("/", root_, 0);
    auto built = whole ? place_mounts("/") : build_in_pieces();
    if (built) built = place_own_folders();
    return built;
  }

  const std::string& root() const { return root_; }
  const std::vector<std::string>& read_only() const { return read_only_; }

 private:
  std::string inside(const std::string& path) const { return root_ + path; }

  void note_read_only(const std::string& path) {
    if (::access(path.c_str(), W_OK) == 0) read_only_.push_back(path);
  }

  bool has_mounts_below(const std::string& folder) const {
    return std::ranges::any_of(mounts_, [&](const Mount& m) { return m.point != folder && lies_below(m.point, folder); });
  }

  // Everything mounted strictly below `folder`, onto the same places in the new tree.
  Result<void> place_mounts(const std::string& folder) {
    for (const Mount& mount : mounts_) {
      if (mount.point == folder || !lies_below(mount.point, folder)) continue;
      const bool carried = std::ranges::any_of(
          carried_, [&](const std::string& above) { return above != mount.point && lies_below(mount.point, above); });
      if (carried && mount.type != "tmpfs" && mount.type != "mqueue") continue;
      if (carried && is_kernel_folder(mount.point)) continue;
      if (auto placed = place(mount); !placed) return placed;
    }
    return {};
  }

  // /sys and what lies below it came with it, tmpfs included.
  bool is_kernel_folder(const std::string& point) const { return lies_below(point, "/sys") || lies_below(point, "/proc"); }

  Result<void> place(const Mount& mount) {
    const std::string target = inside(mount.point);
    if (mount.type == "proc" && mount.point == "/proc") return place_proc();
    if (mount.point == "/dev") return same(mount, true, false);
    if (mount.type == "devpts" || mount.type == "hugetlbfs") return same(mount, false, false);
    if (is_kernel_view(mount.type) || is_kernel_folder(mount.point)) return same(mount, true, true);
    if (mount.type == "mqueue" && ::mount("mqueue", target.c_str(), "mqueue", mount.flags, nullptr) == 0) return {};
    if (mount.read_only || !is_folder(mount.point)) return same(mount, true, false);
    if (mount.type == "tmpfs" &&
        overlays_.mount(mount.point, target, mount.flags, UpperKind::memory, size_option(mount.options)))
      return {};
    if (overlays_.mount(mount.point, target, mount.flags)) return {};
    note_read_only(mount.point);
    return same(mount, true, true);
  }

  // The mount itself, as it is. What is mounted below comes with it and stays where nothing else is placed there.
  Result<void> same(const Mount& mount, bool read_only, bool with_those_below) {
    const std::string target = inside(mount.point);
    if (auto shown = mount_same(mount.point, target); !shown) return shown;
    carried_.push_back(mount.point);
    return read_only ? make_read_only(target, mount.flags, with_those_below) : Result<void>{};
  }

  Result<void> place_proc() {
    const std::string target = inside("/proc");
    carried_.push_back("/proc");
    if (!wish_.fresh_proc) return mount_same("/proc", target);
    if (::mount("proc", target.c_str(), "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr) != 0)
      return std::unexpected(errno_error("cannot mount /proc", errno));
    for (const char* settings : {"/sys", "/sysrq-trigger"})
      if (const std::string path = target + settings; mount_same(path, path)) (void)make_read_only(path, 0, false);
    return {};
  }

  Result<void> build_in_pieces() {
    if (::mount("tmpfs", root_.c_str(), "tmpfs", MS_NOSUID | MS_NODEV, "size=16m,mode=0755") != 0)
      return std::unexpected(errno_error("cannot mount a tmpfs", errno));
    if (auto placed = place_entries("/"); !placed) return placed;
    for (const auto& place : wish_.places) place_way_to(place);
    for (const auto& mount : std::vector<std::string>(overlaid_.begin(), overlaid_.end())) place_foreign_below(mount, 2);
    ::chmod(root_.c_str(), 0555);
    return {};
  }

  // `folder` has mounts below it: its entries one by one.
  Result<void> place_entries(const std::string& folder) {
    constexpr int most = 1000;
    DIR* listing = ::opendir(folder.c_str());
    if (!listing) return {};  // nobody may look into it: it stays empty
    Result<void> placed;
    int count = 0;
    while (const dirent* entry = ::readdir(listing)) {
      if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
      if (++count > most) placed = failure("cannot take " + folder + " apart", "it has too many entries");
      if (placed) placed = place_entry((folder == "/" ? "" : folder) + "/" + entry->d_name);
      if (!placed) break;
    }
    ::closedir(listing);
    return placed;
  }

  Result<void> place_entry(const std::string& path) {
    const std::string target = inside(path);
    struct stat found {};
    if (::lstat(path.c_str(), &found) != 0) return {};
    if (S_ISLNK(found.st_mode)) {
      char text[PATH_MAX] = "";
      if (::readlink(path.c_str(), text, sizeof text - 1) > 0) (void)::symlink(text, target.c_str());
      return {};
    }
    if (!S_ISDIR(found.st_mode)) {
      const OwnedFd made(::open(target.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
      if (mount_same(path, target)) return make_read_only(target, 0, false);
      return {};
    }
    ::mkdir(target.c_str(), 0755);
    const auto mount = std::ranges::find(mounts_, path, &Mount::point);
    const bool plain = mount == mounts_.end();
    if (has_mounts_below(path) && (plain || is_ordinary(*mount))) return place_entries(path);
    if (!plain) {
      if (auto placed = place(*mount); !placed) return placed;
      return has_mounts_below(path) ? place_mounts(path) : Result<void>{};
    }
    if (overlays_.mount(path, target, 0)) {
      overlaid_.insert(path);
      return {};
    }
    if (auto shown = mount_same(path, target); !shown) return {};  // nobody may look into it
    note_read_only(path);
    return make_read_only(target, 0, true);
  }

  // Files of users lie on it.
  bool is_ordinary(const Mount& mount) const {
    return !is_kernel_view(mount.type) && mount.point != "/dev" && mount.point != "/proc" && !mount.read_only;
  }

  void place_foreign(const std::string& path) {
    struct stat found {};
    if (overlaid_.contains(path) || has_mounts_below(path)) return;
    if (std::ranges::find(mounts_, path, &Mount::point) != mounts_.end()) return;
    if (::lstat(path.c_str(), &found) != 0 || !S_ISDIR(found.st_mode)) return;
    if (found.st_uid == ::geteuid() && found.st_uid != nobody) return;
    if (overlays_.mount(path, inside(path), 0)) overlaid_.insert(path);
  }

  void place_way_to(const std::string& place) {
    char real[PATH_MAX];
    if (place.empty() || !::realpath(place.c_str(), real)) return;
    const std::string path = real;
    for (auto end = path.find('/', 1); end != path.npos; end = path.find('/', end + 1))
      if (path.find('/', 1) != end) place_foreign(path.substr(0, end));
    place_foreign(path);
  }

  // Folders of somebody else that the user may write to, near the top.
  void place_foreign_below(const std::string& folder, int depth) {
    DIR* listing = depth > 0 ? ::opendir(folder.c_str()) : nullptr;
    if (!listing) return;
    for (int left = 500; const dirent* entry = ::readdir(listing);) {
      if (entry->d_type != DT_DIR || entry->d_name[0] == '.' || --left < 0) continue;
      const std::string path = folder + "/" + entry->d_name;
      if (::access(path.c_str(), W_OK) == 0) place_foreign(path);
      else place_foreign_below(path, depth - 1);
    }
    ::closedir(listing);
  }

  Result<void> place_own_folders() {
    if (auto shown = mount_same(wish_.out, inside(wish_.out)); !shown) return shown;
    (void)::mount("tmpfs", inside(wish_.layers).c_str(), "tmpfs", MS_RDONLY, "size=4k,mode=0700");
    return {};
  }

  const NewRoot& wish_;
  Overlays overlays_;
  std::string root_;
  std::vector<Mount> mounts_;
  std::vector<std::string> carried_;  // came with all that is mounted below
  std::set<std::string> overlaid_;
  std::vector<std::string> read_only_;
};

}  // namespace

Result<std::vector<std::string>> enter_new_root(const NewRoot& wish) {
  if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0)
    return std::unexpected(errno_error("cannot make the mounts private", errno));
  Builder builder(wish);
  if (auto built = builder.build(); !built) return std::unexpected(built.error());
  if (::chdir(builder.root().c_str()) != 0) return std::unexpected(errno_error("cannot enter the layer", errno));
  // The old root lies under the new one and is let go; where "/" is no mount (a chroot) only chroot is left.
  if (::syscall(SYS_pivot_root, ".", ".") == 0) {
    (void)::umount2(".", MNT_DETACH);
  } else if (::chroot(".") != 0) {
    return std::unexpected(errno_error("cannot enter the layer", errno));
  }
  if (::chdir("/") != 0) return std::unexpected(errno_error("cannot enter the layer", errno));
  return builder.read_only();
}

}  // namespace sigwhy::experiment
