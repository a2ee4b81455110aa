#include "python/tensors/learned.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/owned_fd.h"
#include "python/tensors/layout_text.h"

namespace sigwhy::python {

namespace {

constexpr std::size_t most_files = 256;  // looked at
constexpr std::size_t most_layouts = 16;
constexpr std::size_t most_bytes = 16384;

struct Candidate {
  std::string path;
  std::filesystem::file_time_type written;
};

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::vector<Candidate> newest_first(const std::string& folder) {
  std::vector<Candidate> found;
  std::error_code error;
  std::filesystem::directory_iterator at(folder, error);
  for (std::size_t i = 0; !error && at != std::filesystem::directory_iterator() && i < most_files; ++i, at.increment(error)) {
    std::error_code ignored;
    if (at->path().extension() == ".layout") found.push_back({at->path(), at->last_write_time(ignored)});
  }
  std::ranges::sort(found, [](const Candidate& a, const Candidate& b) { return a.written > b.written; });
  return found;
}

// A pipe or a device of that name must not hold up a start.
std::string content_of(const std::string& path) {
  const OwnedFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status {};
  if (!fd || ::fstat(fd.get(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
  std::string text(most_bytes, '\0');
  const auto got = ::read(fd.get(), text.data(), text.size());
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return text;
}

}  // namespace

std::string learned_layout_folder() {
  if (auto cache = variable("XDG_CACHE_HOME"); cache.starts_with('/')) return cache + "/sigwhy/layouts";
  if (auto home = variable("HOME"); home.starts_with('/')) return home + "/.cache/sigwhy/layouts";
  return {};
}

std::vector<TensorLayout> load_learned_layouts(const std::string& folder) {
  std::vector<TensorLayout> layouts;
  if (folder.empty()) return layouts;
  for (const Candidate& file : newest_first(folder)) {
    if (layouts.size() == most_layouts) break;
    if (const auto layout = tensor_layout_of(content_of(file.path))) layouts.push_back(*layout);
  }
  return layouts;
}

}  // namespace sigwhy::python
