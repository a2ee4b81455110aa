#include "inventory/files.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <memory>

#include "base/owned_fd.h"

namespace sigwhy::inventory {

namespace {

constexpr std::size_t most_entries = 100'000;  // of one folder

mode_t mode_of(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? status.st_mode : 0;
}

Listings::Kind kind_of(mode_t mode) {
  if (S_ISREG(mode)) return Listings::Kind::file;
  return S_ISDIR(mode) ? Listings::Kind::folder : Listings::Kind::none;
}

}  // namespace

std::optional<std::string> read_text(const std::string& path, std::uint64_t most) {
  const OwnedFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status {};
  if (!fd || ::fstat(fd.get(), &status) != 0 || S_ISDIR(status.st_mode)) return std::nullopt;
  // Files of /proc and /sys say they are empty.
  const auto stated = status.st_size > 0 ? static_cast<std::uint64_t>(status.st_size) : 64 << 10;
  std::string text(std::min(most, stated), '\0');
  std::size_t done = 0;
  while (done < text.size()) {
    const auto got = ::read(fd.get(), text.data() + done, text.size() - done);
    if (got <= 0) break;
    done += static_cast<std::size_t>(got);
  }
  text.resize(done);
  return text;
}

bool is_file(const std::string& path) { return S_ISREG(mode_of(path)); }
bool is_folder(const std::string& path) { return S_ISDIR(mode_of(path)); }
bool is_program(const std::string& path) { return is_file(path) && ::access(path.c_str(), X_OK) == 0; }

std::string real_path(const std::string& path) {
  const std::unique_ptr<char, void (*)(void*)> resolved(::realpath(path.c_str(), nullptr), ::free);
  return resolved ? std::string(resolved.get()) : path;
}

std::string_view folder_of(std::string_view path) {
  const auto slash = path.rfind('/');
  if (slash == path.npos) return {};
  return path.substr(0, slash == 0 ? 1 : slash);
}

std::string_view name_of(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string joined(std::string_view folder, std::string_view path) {
  if (path.starts_with('/') || folder.empty()) return std::string(path);
  std::string result(folder);
  while (path.starts_with("./")) path.remove_prefix(2);
  if (path.empty() || path == ".") return result;
  if (!result.ends_with('/')) result += '/';
  return result.append(path);
}

bool is_below(std::string_view path, std::string_view folder) {
  return path.size() > folder.size() && path.starts_with(folder) && (folder.ends_with('/') || path[folder.size()] == '/');
}

const Listings::Folder& Listings::listed(const std::string& folder) {
  const auto [found, is_new] = folders_.try_emplace(folder);
  if (!is_new) return found->second;
  const std::unique_ptr<DIR, int (*)(DIR*)> open(::opendir(folder.c_str()), ::closedir);
  while (const dirent* entry = open ? ::readdir(open.get()) : nullptr) {
    const std::string_view name = entry->d_name;
    if (name == "." || name == ".." || found->second.size() >= most_entries) continue;
    auto kind = entry->d_type == DT_REG ? Kind::file : entry->d_type == DT_DIR ? Kind::folder : Kind::none;
    if (entry->d_type == DT_LNK || entry->d_type == DT_UNKNOWN) kind = kind_of(mode_of(folder + "/" + entry->d_name));
    found->second.emplace(name, kind);
  }
  return found->second;
}

Listings::Kind Listings::kind(const std::string& folder, const std::string& name) {
  const auto& entries = listed(folder);
  const auto found = entries.find(name);
  return found == entries.end() ? Kind::none : found->second;
}

std::vector<std::string> Listings::names(const std::string& folder) {
  std::vector<std::string> all;
  for (const auto& [name, kind] : listed(folder)) all.push_back(name);
  std::ranges::sort(all);
  return all;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    auto line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string_view stripped(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

}  // namespace sigwhy::inventory
