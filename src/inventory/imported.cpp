#include "inventory/imported.h"

#include <algorithm>
#include <string_view>

#include "base/owned_fd.h"
#include "native/mapped_file.h"
#include "native/module_origin.h"

#include <unistd.h>

namespace sigwhy::inventory {

namespace {

constexpr std::size_t most_source_bytes = 256u << 10;
constexpr std::size_t most_files = 8;
constexpr std::size_t most_line = 160;

bool is_users(std::string_view file) {
  return file.starts_with('/') && file.find("-packages/") == std::string_view::npos &&
         file.find("/lib/python") == std::string_view::npos;
}

std::string absolute(const Snapshot& s, const std::string& file) {
  return file.starts_with('/') || file.empty() || file[0] == '<' ? file : s.process.directory + "/" + file;
}

// The program's own Python files that were running: outermost first, because that is where imports stand.
std::vector<std::string> own_sources(const Snapshot& s) {
  std::vector<std::string> files;
  const auto add = [&](const std::string& file) {
    const auto path = absolute(s, file);
    if (is_users(path) && std::ranges::count(files, path) == 0 && files.size() < most_files) files.push_back(path);
  };
  for (std::size_t i = 1; i < s.process.argv.size() && !s.interpreters.empty(); ++i)
    if (s.process.argv[i].ends_with(".py")) {
      add(s.process.argv[i]);
      break;
    }
  for (const auto& thread : s.threads)
    for (auto frame = thread.python.rbegin(); frame != thread.python.rend(); ++frame) add(frame->file);
  for (const auto& exception : s.python_exceptions)
    for (const auto& frame : exception.traceback) add(frame.file);
  return files;
}

std::string read_source(const Target& target, const std::string& path) {
  const auto fd = native::open_in_root(target, path);
  std::string text(fd ? most_source_bytes : 0, '\0');
  const auto got = fd ? ::read(fd.get(), text.data(), text.size()) : 0;
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return text;
}

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  return text.substr(0, text.find_last_not_of(" \t\r;") + 1);
}

// "import numpy as np, torch" -> numpy, torch; "from scipy.linalg import lu" -> scipy
std::vector<std::string> imported_names(std::string_view line) {
  std::vector<std::string> names;
  const auto top = [](std::string_view name) {
    name = trimmed(name);
    return std::string(name.substr(0, name.find_first_of(". \t#;")));
  };
  if (line.starts_with("from ")) {
    names.push_back(top(line.substr(5)));
  } else if (line.starts_with("import ")) {
    line.remove_prefix(7);
    while (!line.empty()) {
      const auto comma = std::min(line.find(','), line.size());
      names.push_back(top(line.substr(0, comma)));
      line.remove_prefix(std::min(comma + 1, line.size()));
    }
  }
  return names;
}

}  // namespace

ImportLines::ImportLines(const Target& target, const Snapshot& s) {
  for (const auto& path : own_sources(s)) {
    const auto source = read_source(target, path);
    std::string_view rest = source;
    for (std::int64_t number = 1; !rest.empty(); ++number) {
      const auto end = std::min(rest.find('\n'), rest.size());
      const auto line = trimmed(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
      const ImportLine found{path, number, std::string(line.substr(0, most_line))};
      for (auto& name : imported_names(line)) {
        imports_.push_back(found);
        names_.push_back(std::move(name));
      }
      if (line.find(".so") != std::string_view::npos && !line.starts_with('#')) mentions_.push_back(found);
    }
  }
}

std::optional<ImportLine> ImportLines::bringing(const Module& module) const {
  const auto file = native::base_name(module.path);
  const auto name = module.package ? *module.package : std::string(file.substr(0, file.find('.')));
  const auto at = std::ranges::find(names_, name);
  if (at != names_.end()) return imports_[static_cast<std::size_t>(at - names_.begin())];
  for (const auto& line : mentions_)
    if (line.text.find(file) != std::string::npos) return line;
  return std::nullopt;
}

}  // namespace sigwhy::inventory
