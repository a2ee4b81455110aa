#include "cli/lost_runs.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/owned_fd.h"
#include "capture/develop_record.h"
#include "capture/record_file.h"
#include "diagnose/diagnose.h"
#include "evidence/redact.h"

namespace sigwhy::cli {

namespace {

// A program that is started again and again leaves one each time, and nobody may look for weeks.
constexpr std::size_t most_adopted = 50;

struct Left {
  std::string name;
  std::int64_t written_s = 0;
};

// The newest first.
std::vector<Left> records_in(const std::string& folder) {
  std::vector<Left> found;
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(::opendir(folder.c_str()), ::closedir);
  while (const dirent* entry = directory ? ::readdir(directory.get()) : nullptr) {
    if (!std::string_view(entry->d_name).ends_with(capture::record_suffix)) continue;
    struct stat status {};
    if (::fstatat(::dirfd(directory.get()), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0)
      found.push_back({entry->d_name, status.st_mtim.tv_sec});
  }
  std::ranges::stable_sort(found, std::ranges::greater{}, &Left::written_s);
  return found;
}

// Nobody writes it any more: the lock goes with the last of them.
bool is_left(const std::string& path) {
  const OwnedFd fd(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  return fd && ::flock(fd.get(), LOCK_EX | LOCK_NB) == 0;
}

Case case_of(const capture::LeftRecord& left, const std::string& id) {
  Case c{.id = id, .sigwhy_version = SIGWHY_VERSION};
  c.snapshot = capture::develop_record(left);
  c.made_unix_ms = c.snapshot.process.started_unix_s * 1000 + static_cast<std::int64_t>(c.snapshot.termination.after_seconds * 1000);
  c.diagnosis = diagnose::diagnose(c.snapshot);
  return redact(std::move(c), {});
}

}  // namespace

void adopt_lost_runs(const store::Store& store) {
  std::size_t count = 0;
  for (const auto& [name, written_s] : records_in(store.folder())) {
    const auto path = store.folder() + "/" + name;
    if (count >= most_adopted) {
      if (is_left(path)) ::unlink(path.c_str());
      continue;
    }
    ++count;
    const auto left = capture::left_record(path);
    if (left && store.save(case_of(*left, name.substr(0, name.rfind('.'))))) ::unlink(path.c_str());
  }
}

}  // namespace sigwhy::cli
