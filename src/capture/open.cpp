#include "capture/open.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <string_view>

#include "capture/develop.h"
#include "target/core.h"
#include "target/saved.h"

namespace sigwhy::capture {

namespace {

constexpr const char* what_is_opened = "name a core file, a case as JSON or the .mem.zst of a case";

// A kept memory is packed by zstd. Asked first: any other file may be huge, and is not read.
bool is_packed(const std::string& path) {
  char first[4] = {};
  std::ifstream(path, std::ios::binary).read(first, sizeof first);
  return std::string_view(first, sizeof first) == "\x28\xb5\x2f\xfd";
}

}  // namespace

Result<void> can_be_opened(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return std::unexpected(errno_error("cannot open " + path, errno));
  if (S_ISREG(status.st_mode) && ::access(path.c_str(), R_OK) == 0) return {};
  if (S_ISREG(status.st_mode)) return std::unexpected(errno_error("cannot open " + path, errno));
  return failure("cannot open " + path,
                 S_ISDIR(status.st_mode) ? "it is a folder" : "it is a pipe or a device, not a file", what_is_opened);
}

Result<Snapshot> open_file(const std::string& path) {
  if (auto file = can_be_opened(path); !file) return std::unexpected(file.error());
  if (!is_core(path) && !is_packed(path))
    return failure("cannot open " + path, "it is neither a core file nor a case", what_is_opened);
  auto target = is_core(path) ? target_from_core(path) : target_from_side_file(path);
  if (!target) return std::unexpected(target.error());
  return develop(*target, python::ValuesPolicy::plain);
}

}  // namespace sigwhy::capture
