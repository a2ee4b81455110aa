#include "store/folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "base/owned_fd.h"

namespace sigwhy::store {

namespace {

constexpr const char* remedy = "set SIGWHY_DIR to a folder you can write to";

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

bool is_folder(const std::string& path) {
  struct stat found {};
  return ::stat(path.c_str(), &found) == 0 && S_ISDIR(found.st_mode);
}

// It is there and can be written to, or it can be made. Asks, and makes nothing.
bool is_usable(std::string path) {
  while (::access(path.c_str(), F_OK) != 0 && errno == ENOENT && path.find('/', 1) != std::string::npos)
    path.resize(path.rfind('/'));
  if (::access(path.c_str(), F_OK) != 0 && errno == ENOENT) path = "/";
  return is_folder(path) && ::access(path.c_str(), W_OK | X_OK) == 0;
}

// In a folder that everybody may write to, somebody else may have made ours first.
Result<void> refuse_foreign(const std::string& path, const std::string& parent) {
  struct stat found {
  }, around{};
  if (::lstat(path.c_str(), &found) != 0) return std::unexpected(errno_error("cannot look at " + path, errno, remedy));
  const bool shared = ::stat(parent.c_str(), &around) == 0 && (around.st_mode & S_IWOTH);
  const bool ours = S_ISDIR(found.st_mode) && found.st_uid == ::geteuid();
  if (shared && !ours) return failure("will not use " + path, "it belongs to somebody else", remedy);
  return {};
}

// A file that the user named (--json) lies where the user wants it.
Error write_error(const std::string& path, int error) {
  return errno_error("cannot write " + path, error, path.starts_with(case_folder() + '/') ? remedy : "");
}

Result<void> write_all(int fd, const std::string& path, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return std::unexpected(write_error(path, errno));
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return {};
}

// /dev/null, a pipe: renaming over it would take it away from everybody.
bool is_device(const std::string& path) {
  struct stat found {};
  return ::stat(path.c_str(), &found) == 0 && !S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode);
}

void set_time(int fd, std::int64_t unix_ms) {
  timespec at{};
  at.tv_sec = unix_ms / 1000;
  at.tv_nsec = unix_ms % 1000 * 1'000'000;
  const timespec times[] = {at, at};
  (void)::futimens(fd, times);
}

}  // namespace

std::string case_folder() {
  if (auto own = variable("SIGWHY_DIR"); !own.empty()) return own;
  if (auto state = variable("XDG_STATE_HOME"); state.starts_with('/') && is_usable(state + "/sigwhy/cases"))
    return state + "/sigwhy/cases";
  if (auto home = variable("HOME"); home.starts_with('/') && is_folder(home) && is_usable(home + "/.local/state/sigwhy/cases"))
    return home + "/.local/state/sigwhy/cases";
  const auto temporary = variable("TMPDIR");
  return (temporary.starts_with('/') ? temporary : "/tmp") + "/sigwhy-" + std::to_string(::geteuid());
}

Result<void> make_folder(const std::string& path) {
  const auto parent = std::filesystem::path(path).parent_path().string();
  struct stat found {};
  if (!parent.empty() && parent != path && ::stat(parent.c_str(), &found) != 0)
    if (auto made = make_folder(parent); !made) return made;
  if (::mkdir(path.c_str(), 0700) == 0) return {};
  if (errno != EEXIST) return std::unexpected(errno_error("cannot make the folder " + path, errno, remedy));
  return refuse_foreign(path, parent);
}

Result<void> write_whole(const std::string& path, std::string_view bytes, std::optional<std::int64_t> time_unix_ms) {
  if (is_device(path)) {
    const OwnedFd device(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    return device ? write_all(device.get(), path, bytes) : std::unexpected(write_error(path, errno));
  }
  auto temporary = path + ".XXXXXX";
  const OwnedFd fd(::mkostemp(temporary.data(), O_CLOEXEC));  // mode 0600
  if (!fd) return std::unexpected(write_error(path, errno));
  auto done = write_all(fd.get(), path, bytes);
  if (done && time_unix_ms) set_time(fd.get(), *time_unix_ms);
  if (done && ::rename(temporary.c_str(), path.c_str()) != 0) done = std::unexpected(write_error(path, errno));
  if (!done) ::unlink(temporary.c_str());
  return done;
}

Result<std::string> read_whole(const std::string& path, std::uint64_t most) {
  const OwnedFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return std::unexpected(errno_error("cannot open " + path, errno));
  std::string bytes;
  for (;;) {
    constexpr std::size_t step = 1 << 18;
    const auto had = bytes.size();
    if (had > most) return failure("cannot read " + path, "it is larger than any case");
    bytes.resize(had + step);
    const auto n = ::read(fd.get(), bytes.data() + had, step);
    bytes.resize(had + static_cast<std::size_t>(n < 0 ? 0 : n));
    if (n < 0 && errno != EINTR) return std::unexpected(errno_error("cannot read " + path, errno));
    if (n == 0) return bytes;
  }
}

Result<std::string> read_start(const std::string& path, std::size_t most) {
  const OwnedFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return std::unexpected(errno_error("cannot open " + path, errno));
  std::string bytes(most, '\0');
  const auto n = ::read(fd.get(), bytes.data(), most);
  if (n < 0) return std::unexpected(errno_error("cannot read " + path, errno));
  bytes.resize(static_cast<std::size_t>(n));
  return bytes;
}

}  // namespace sigwhy::store
