#include "capture/develop_packages.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string_view>

#include "base/owned_fd.h"

namespace sigwhy::capture {

namespace {

constexpr std::size_t most_entries = 4000, most_packages = 64, most_text_bytes = 4096;

// folder of installed packages -> names at its top level that were used
using Used = std::map<std::string, std::set<std::string, std::less<>>>;

// The part of a path or module's name that tells the package; several share the first part `google`.
std::string_view package_part(std::string_view name, char between) {
  const auto first = name.substr(0, name.find(between));
  const auto rest = name.substr(std::min(first.size() + 1, name.size()));
  const auto part = first == "google" && !rest.empty() ? rest.substr(0, rest.find(between)) : first;
  return part.substr(0, part.find('.'));
}

void add_used(std::string_view path, Used& used) {
  for (const std::string_view mark : {"/site-packages/", "/dist-packages/"}) {
    const auto at = path.rfind(mark);
    if (at == std::string_view::npos) continue;
    const auto inside = path.substr(at + mark.size());
    const auto top = inside.substr(0, inside.find('/'));
    // numpy.libs and scikit_learn.libs hold what a wheel brought along.
    const auto name = top.ends_with(".libs") ? top.substr(0, top.size() - 5) : package_part(inside, '/');
    if (!name.empty()) used[std::string(path.substr(0, at + mark.size() - 1))].emplace(name);
  }
}

// "from google.protobuf.internal import builder": what a failed import asked for is on no stack. It lies beside what
// the process has loaded.
void add_asked(const Snapshot& s, Used& used) {
  Used beside;
  for (const auto& module : s.modules) add_used(module.path, beside);
  for (const auto& exception : s.python_exceptions)
    for (const auto& frame : exception.traceback) {
      const std::string_view text = frame.text ? *frame.text : std::string_view();
      const auto verb = text.starts_with("from ") ? 5 : text.starts_with("import ") ? 7 : 0;
      const auto name = text.substr(verb, text.find_first_of(" ,", verb) - verb);
      if (!verb || name.empty()) continue;
      for (const auto& [folder, names] : beside) used[folder].emplace(package_part(name, '.'));
    }
}

Used used_by(const Snapshot& s) {
  Used used;
  for (const auto& thread : s.threads) {
    for (const auto& frame : thread.frames)
      if (frame.module && *frame.module < s.modules.size()) add_used(s.modules[*frame.module].path, used);
    for (const auto& frame : thread.python) add_used(frame.file, used);
  }
  for (const auto& exception : s.python_exceptions)
    for (const auto& frame : exception.traceback) add_used(frame.file, used);
  add_asked(s, used);
  return used;
}

struct Metadata {
  std::string entry;  // the folder's or file's name
  std::string name, version;
};

// "tensorflow_cpu-2.16.1.dist-info", "six-1.16.0-py3.9.egg-info"
std::optional<Metadata> metadata_in(std::string_view entry) {
  auto stem = entry;
  if (stem.ends_with(".dist-info")) stem.remove_suffix(10);
  else if (stem.ends_with(".egg-info")) stem = stem.substr(0, std::min(stem.rfind("-py"), stem.size() - 9));
  else return std::nullopt;
  const auto dash = stem.find('-');
  if (dash == std::string_view::npos || dash == 0) return std::nullopt;
  return Metadata{std::string(entry), std::string(stem.substr(0, dash)), std::string(stem.substr(dash + 1))};
}

OwnedFd open_folder(const Target& target, const std::string& path) {
  const auto below = path.find_first_not_of('/');
  if (!target.root || below == std::string::npos)
    return OwnedFd(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  return OwnedFd(::openat(target.root.get(), path.c_str() + below, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

std::vector<Metadata> metadata_of(const OwnedFd& folder) {
  std::vector<Metadata> found;
  const int copy = ::fcntl(folder.get(), F_DUPFD_CLOEXEC, 0);
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(copy < 0 ? nullptr : ::fdopendir(copy), ::closedir);
  if (!entries) return found;
  std::size_t seen = 0;
  while (const dirent* entry = ::readdir(entries.get())) {
    if (++seen > most_entries) break;
    if (auto metadata = metadata_in(entry->d_name)) found.push_back(std::move(*metadata));
  }
  std::ranges::sort(found, {}, &Metadata::entry);
  return found;
}

std::string text_of(const OwnedFd& folder, const std::string& path) {
  const OwnedFd file(::openat(folder.get(), path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  std::string text(most_text_bytes, '\0');
  const auto got = file ? ::read(file.get(), text.data(), text.size()) : -1;
  text.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
  return text;
}

// tensorflow_cpu brings the module tensorflow, and says so; packages that say nothing bring one of their own name.
std::set<std::string, std::less<>> modules_of(const OwnedFd& folder, const Metadata& metadata) {
  std::set<std::string, std::less<>> modules;
  const auto text = text_of(folder, metadata.entry + "/top_level.txt");
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    if (end > at) modules.insert(text.substr(at, end - at));
    at = end + 1;
  }
  if (modules.empty()) modules.insert(metadata.name);
  return modules;
}

std::string origin_of(const OwnedFd& folder, const Metadata& metadata, std::string_view path) {
  if (path.ends_with("/dist-packages") && path.starts_with("/usr/lib/")) return "system";
  if (text_of(folder, metadata.entry + "/INSTALLER").starts_with("conda")) return "conda";
  return ::faccessat(folder.get(), (metadata.entry + "/WHEEL").c_str(), F_OK, 0) == 0 ? "wheel" : "unknown";
}

// As its metadata folder spells it, with the dashes that the folder's name cannot have.
std::string spelled(std::string name) {
  std::ranges::replace(name, '_', '-');
  return name;
}

}  // namespace

void add_packages(const Target& target, Snapshot& s) {
  for (const auto& [path, names] : used_by(s)) {
    const auto folder = open_folder(target, path);
    if (!folder) continue;
    for (const auto& metadata : metadata_of(folder)) {
      const auto modules = modules_of(folder, metadata);
      const bool brings = std::ranges::any_of(modules, [&](const auto& module) { return names.contains(module); });
      if (!brings && !names.contains(metadata.name)) continue;
      if (!s.inventory) s.inventory.emplace();
      if (s.inventory->packages.size() == most_packages) return;
      s.inventory->packages.push_back(
          {spelled(metadata.name), metadata.version, origin_of(folder, metadata, path), path, {}});
    }
  }
}

}  // namespace sigwhy::capture
