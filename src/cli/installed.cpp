#include "cli/installed.h"

#include <unistd.h>

#include <climits>
#include <filesystem>

namespace sigwhy::cli {

namespace {

// The loader stands here where sigwhy brings its own; it lies in the same folder.
std::filesystem::path own_folder() {
  std::error_code ignored;
  return std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
}

Result<std::string> first_that_exists(std::initializer_list<std::filesystem::path> candidates, const char* what) {
  for (const auto& path : candidates)
    if (::access(path.c_str(), X_OK) == 0) return path.lexically_normal().string();
  return failure(std::string("cannot find ") + what, "sigwhy's files are not where this program is",
                 "install sigwhy again");
}

}  // namespace

Result<std::string> front_program() {
  const auto own = own_folder();
  return first_that_exists({own / "sigwhy", own / "../../bin/sigwhy"}, "the program sigwhy");
}

Result<std::string> demo_folder() {
  const auto own = own_folder();
  return first_that_exists({own / "demo", own / "../lib/sigwhy/demo"}, "the bundled programs");
}

Result<std::string> lab_program() {
  const auto own = own_folder();
  return first_that_exists({own / "lab/run.py", own / "../lib/sigwhy/lab/run.py", own / "../lab/run.py"}, "the lab");
}

}  // namespace sigwhy::cli
