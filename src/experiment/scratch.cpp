#include "experiment/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <array>
#include <functional>
#include <vector>

namespace sigwhy::experiment {

namespace {

constexpr const char* prefix = "layer-";

std::string variable(const char* name) {
  const char* value = ::getenv(name);
  return value ? value : "";
}

// An upper layer must keep attributes and file types as a disk does. Memory is charged to the group under test.
bool can_hold_layers(const std::string& folder) {
  constexpr std::array unfit = {0x01021994L /* tmpfs */, 0x858458f6L /* ramfs */,   0x794c7630L /* overlayfs */,
                                0x6969L /* nfs */,       0x65735546L /* fuse */,    0x01021997L /* 9p */,
                                0xff534d42L /* cifs */,  0x6a656a63L /* virtiofs */, 0x4d44L /* vfat */};
  struct statfs found {};
  if (::statfs(folder.c_str(), &found) != 0) return false;
  for (const long kind : unfit)
    if (static_cast<long>(found.f_type & 0xffffffff) == kind) return false;
  return true;
}

// The folder itself or the nearest one above that exists and can be written to.
bool usable(const std::string& folder) {
  std::string path = folder;
  struct stat found {};
  while (::stat(path.c_str(), &found) != 0 && path.size() > 1) path.resize(std::max<std::size_t>(path.rfind('/'), 1));
  return ::access(path.c_str(), W_OK | X_OK) == 0;
}

bool make_path(const std::string& path) {
  struct stat found {};
  if (::stat(path.c_str(), &found) == 0) return S_ISDIR(found.st_mode);
  const auto above = path.rfind('/');
  if (above != std::string::npos && above > 0 && !make_path(path.substr(0, above))) return false;
  return ::mkdir(path.c_str(), 0700) == 0 || errno == EEXIST;
}

// Below a folder that everybody can write to, ours has our name in it and must be ours.
std::string own_below(const std::string& shared) { return shared + "/sigwhy-layers-" + std::to_string(::geteuid()); }

bool is_ours(const std::string& folder) {
  struct stat found {};
  return ::lstat(folder.c_str(), &found) == 0 && S_ISDIR(found.st_mode) && found.st_uid == ::geteuid();
}

std::vector<std::string> candidates(const std::string& layers_folder) {
  std::vector<std::string> list;
  if (layers_folder.starts_with('/')) list.push_back(layers_folder);
  if (const auto temporary = variable("TMPDIR"); temporary.starts_with('/')) list.push_back(own_below(temporary));
  list.push_back(own_below("/var/tmp"));
  list.push_back(own_below("/tmp"));
  return list;
}

// Returns what `visit` adds up to; it must not follow links out of the tree.
void each_entry(const std::string& folder, const std::function<void(int folder_fd, const char* name, const struct stat&)>& visit) {
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  DIR* listing = fd >= 0 ? ::fdopendir(fd) : nullptr;
  if (!listing) return;
  while (const dirent* entry = ::readdir(listing)) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    struct stat found {};
    if (::fstatat(::dirfd(listing), entry->d_name, &found, AT_SYMLINK_NOFOLLOW) == 0)
      visit(::dirfd(listing), entry->d_name, found);
  }
  ::closedir(listing);
}

std::string first_line(const std::string& path) {
  char text[4096];
  const OwnedFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  const auto size = fd ? ::read(fd.get(), text, sizeof text) : 0;
  return size > 0 ? std::string(text, static_cast<std::size_t>(size)) : "";
}

std::string fresh_below(const std::string& parent) {
  std::string folder = parent + "/" + prefix + "XXXXXX";
  return ::mkdtemp(folder.data()) ? folder : "";
}

void sweep(const std::string& parent) {
  std::vector<std::string> left;
  each_entry(parent, [&](int, const char* name, const struct stat& found) {
    if (S_ISDIR(found.st_mode) && found.st_uid == ::geteuid() && std::string_view(name).starts_with(prefix))
      left.push_back(parent + "/" + name);
  });
  for (const auto& folder : left) {
    const OwnedFd lock(::open((folder + "/lock").c_str(), O_RDWR | O_CLOEXEC));
    if (!lock || ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) continue;  // in use, or just being made
    if (const auto group = first_line(folder + "/group"); group.starts_with('/')) ::rmdir(group.c_str());
    remove_tree(folder);
  }
}

}  // namespace

Result<Scratch> Scratch::make(const std::string& layers_folder) {
  std::string parent;
  bool in_memory = false;
  for (const bool any_kind : {false, true}) {
    for (const auto& candidate : candidates(layers_folder)) {
      if (!usable(candidate) || !make_path(candidate) || !is_ours(candidate)) continue;
      if (!any_kind && !can_hold_layers(candidate)) continue;
      parent = candidate;
      break;
    }
    in_memory = any_kind;
    if (!parent.empty()) break;
  }
  if (parent.empty())
    return failure("no folder for the throw-away layer", "none of $TMPDIR, /var/tmp and /tmp can be written to",
                   "set TMPDIR to a folder you can write to");
  sweep(parent);
  std::string folder = fresh_below(parent);
  if (folder.empty() && make_path(parent)) folder = fresh_below(parent);  // another sigwhy found it empty and removed it
  if (folder.empty()) return std::unexpected(errno_error("cannot make a folder in " + parent, errno));
  OwnedFd lock(::open((folder + "/lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!lock || ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0 || ::mkdir((folder + "/out").c_str(), 0700) != 0 ||
      ::mkdir((folder + "/layers").c_str(), 0700) != 0)
    return std::unexpected(errno_error("cannot prepare " + folder, errno));
  return Scratch(folder, std::move(lock), in_memory);
}

Scratch::~Scratch() {
  if (!lock_) return;
  remove_tree(folder_);
  ::rmdir(folder_.substr(0, folder_.rfind('/')).c_str());  // if no other layer lies there
}

void Scratch::remember_group(const std::string& group_folder) const {
  const OwnedFd fd(::open((folder_ + "/group").c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (fd) [[maybe_unused]] const auto wrote = ::write(fd.get(), group_folder.data(), group_folder.size());
}

Written written_below(const std::string& layers) {
  Written sum;
  std::vector<std::string> waiting;
  each_entry(layers, [&](int, const char* name, const struct stat&) { waiting.push_back(layers + "/" + name + "/upper"); });
  while (!waiting.empty()) {
    const std::string next = std::move(waiting.back());
    waiting.pop_back();
    each_entry(next, [&](int, const char* name, const struct stat& found) {
      if (S_ISDIR(found.st_mode)) waiting.push_back(next + "/" + name);
      if (!S_ISREG(found.st_mode)) return;
      ++sum.files;
      sum.bytes += static_cast<std::uint64_t>(found.st_blocks) * 512;
    });
  }
  return sum;
}

std::uint64_t bounded_by_room(const Scratch& scratch, std::uint64_t bytes) {
  struct statfs found {};
  if (scratch.in_memory()) return std::min(bytes, static_cast<std::uint64_t>(::sysconf(_SC_AVPHYS_PAGES)) * 4096 / 4);
  if (::statfs(scratch.folder().c_str(), &found) != 0) return bytes;
  return std::min(bytes, static_cast<std::uint64_t>(found.f_bavail) * static_cast<std::uint64_t>(found.f_bsize) / 2);
}

void remove_tree(const std::string& folder) {
  // A folder without permissions, as overlayfs makes its own, cannot be listed by an ordinary user.
  ::chmod(folder.c_str(), 0700);
  each_entry(folder, [&](int fd, const char* name, const struct stat& found) {
    if (S_ISDIR(found.st_mode)) remove_tree(folder + "/" + name);
    else ::unlinkat(fd, name, 0);
  });
  ::rmdir(folder.c_str());
}

}  // namespace sigwhy::experiment
