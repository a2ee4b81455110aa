#include "native/source_text.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <string>

#include "native/mapped_file.h"

namespace sigwhy::native {

namespace {

constexpr std::size_t most_frames = 12;
constexpr std::size_t most_file_bytes = 4u << 20;
constexpr std::size_t most_line_bytes = 160;

struct SourceFile {
  std::string text;
  time_t changed = 0;
};

std::string read_all(int fd) {
  std::string text(most_file_bytes, '\0');
  std::size_t size = 0;
  for (ssize_t got; size < text.size() && (got = ::pread(fd, text.data() + size, text.size() - size, static_cast<off_t>(size))) > 0;)
    size += static_cast<std::size_t>(got);
  text.resize(size);
  return text;
}

SourceFile source_file(const Target& target, const std::string& path) {
  const OwnedFd fd = open_in_root(target, path);
  struct stat status {};
  if (!fd || fstat(fd.get(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
  return {read_all(fd.get()), status.st_mtim.tv_sec};
}

time_t built_at(const Target& target, const Module& module) {
  const OwnedFd fd = open_in_root(target, module.path);
  struct stat status {};
  return fd && fstat(fd.get(), &status) == 0 ? status.st_mtim.tv_sec : 0;
}

std::optional<std::string> line_of(const std::string& text, int wanted) {
  std::size_t at = 0;
  for (int line = 1; line < wanted; ++line) {
    at = text.find('\n', at);
    if (at == std::string::npos) return std::nullopt;
    ++at;
  }
  std::string line = text.substr(at, text.find('\n', at) - at);
  line.erase(0, line.find_first_not_of(" \t"));
  line.erase(std::min(line.find_last_not_of(" \t\r") + 1, most_line_bytes));
  return line.empty() ? std::nullopt : std::optional(line);
}

}  // namespace

void add_source_text(const Target& target, const std::vector<Module>& modules, std::vector<Thread>& threads) {
  std::map<std::string, SourceFile> files;
  for (Thread& thread : threads) {
    if (!thread.died) continue;
    for (std::size_t i = 0; i < std::min(thread.frames.size(), most_frames); ++i) {
      Frame& frame = thread.frames[i];
      if (!frame.source || !frame.module || !frame.source->file.starts_with('/')) continue;
      auto [file, is_new] = files.try_emplace(frame.source->file);
      if (is_new) file->second = source_file(target, frame.source->file);
      if (!file->second.changed || file->second.changed > built_at(target, modules[*frame.module])) continue;
      frame.source->text = line_of(file->second.text, frame.source->line);
    }
  }
}

}  // namespace sigwhy::native
