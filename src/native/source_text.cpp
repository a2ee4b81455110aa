#include "native/source_text.h"

#include <sys/stat.h>

#include <algorithm>

#include "native/mapped_file.h"

namespace sigwhy::native {

namespace {

constexpr std::size_t most_frames = 12;
constexpr std::size_t most_other_threads = 8, most_other_frames = 8;
constexpr std::size_t most_file_bytes = 4u << 20;
constexpr std::size_t most_line_bytes = 160;

std::string read_all(int fd, std::size_t bytes) {
  std::string text(std::min(bytes, most_file_bytes), '\0');
  const auto got = ::pread(fd, text.data(), text.size(), 0);
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return text;
}

time_t built_at(const Target& target, const Module& module) {
  const OwnedFd fd = open_in_root(target, module.path);
  struct stat status {};
  return fd && fstat(fd.get(), &status) == 0 ? status.st_mtim.tv_sec : 0;
}

// Where a package's files are unpacked, its sources may come a moment after its programs; that is no edit.
constexpr time_t unpacking_s = 5;

// The line of a frame. A relative path (-ffile-prefix-map) is one of a package that brings its sources: it is looked for
// beside the module, since where it was compiled means nothing here.
std::optional<std::string> native_line(const Target& target, SourceLines& lines, const Source& source,
                                       const Module& module) {
  const auto built = built_at(target, module);
  if (source.file.starts_with('/')) return lines.line(source.file, source.line, built);
  const auto slash = module.path.rfind('/');
  if (slash == std::string::npos || !built) return std::nullopt;
  return lines.line(module.path.substr(0, slash + 1) + source.file, source.line, built + unpacking_s);
}

std::optional<std::string> line_of(std::string_view text, int wanted) {
  std::size_t at = 0;
  for (int line = 1; line < wanted; ++line) {
    at = text.find('\n', at);
    if (at == std::string::npos) return std::nullopt;
    ++at;
  }
  std::string line(text.substr(at, text.find('\n', at) - at));
  line.erase(0, line.find_first_not_of(" \t"));
  line.erase(std::min(line.find_last_not_of(" \t\r") + 1, most_line_bytes));
  return line.empty() ? std::nullopt : std::optional(line);
}

}  // namespace

const SourceLines::File& SourceLines::file(const std::string& path) {
  auto [known, is_new] = files_.try_emplace(path);
  if (!is_new) return known->second;
  const auto directory = target_.files.find("cwd");
  const bool relative = !path.starts_with('/');
  if (relative && directory == target_.files.end()) return known->second;
  const OwnedFd fd = open_in_root(target_, relative ? directory->second + "/" + path : path);
  struct stat status {};
  if (fd && fstat(fd.get(), &status) == 0 && S_ISREG(status.st_mode))
    known->second = {read_all(fd.get(), static_cast<std::size_t>(status.st_size)), status.st_mtim.tv_sec};
  return known->second;
}

std::optional<std::string> SourceLines::line(const std::string& path, int number, time_t not_younger_than) {
  return number < 1 ? std::nullopt : line_of(text(path, not_younger_than), number);
}

std::string_view SourceLines::text(const std::string& path, time_t not_younger_than) {
  if (path.empty() || path[0] == '<') return {};
  const File& source = file(path);
  if (!source.changed || source.changed > not_younger_than) return {};
  return source.text;
}

void add_source_text(const Target& target, const std::vector<Module>& modules, std::vector<Thread>& threads,
                     std::vector<PyException>& exceptions) {
  SourceLines lines(target);
  const auto quote = [&](std::span<PythonFrame> frames) {
    for (auto& frame : frames)
      if (frame.line) frame.text = lines.line(frame.file, *frame.line, target.started_unix_s);
  };
  // A library's frames are on top, often dozens of them, and the user's own are the outermost.
  const auto quote_ends = [&](Thread& t, std::size_t most) {
    const std::span all(t.python);
    const auto inner = std::min(all.size(), most);
    quote(all.first(inner));
    quote(all.last(std::min(all.size() - inner, most)));
  };
  // Where the dying thread runs no Python, another one waits for it.
  const bool own = std::ranges::any_of(threads, [](const Thread& t) { return t.died && !t.python.empty(); });
  std::size_t others = 0;
  for (Thread& thread : threads) {
    if (!thread.died && !target.living) {
      if (!own && !thread.python.empty() && others++ < most_other_threads) quote_ends(thread, most_other_frames);
      continue;
    }
    for (std::size_t i = 0; i < std::min(thread.frames.size(), most_frames); ++i) {
      Frame& frame = thread.frames[i];
      if (frame.source && frame.module)
        frame.source->text = native_line(target, lines, *frame.source, modules[*frame.module]);
    }
    quote_ends(thread, most_frames);
  }
  for (auto& exception : exceptions) quote(exception.traceback);
}

}  // namespace sigwhy::native
