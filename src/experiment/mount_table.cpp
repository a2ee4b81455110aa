#include "experiment/mount_table.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "base/owned_fd.h"
#include "target/kernel_text.h"

namespace sigwhy::experiment {

namespace {


std::string whole_text(const char* path) {
  const OwnedFd fd(::open(path, O_RDONLY | O_CLOEXEC));
  std::string text;
  char part[8192];
  for (ssize_t got = 0; fd && (got = ::read(fd.get(), part, sizeof part)) > 0;)
    text.append(part, static_cast<std::size_t>(got));
  return text;
}

bool has(const std::vector<std::string_view>& words, std::string_view wanted) {
  return std::ranges::find(words, wanted) != words.end();
}

unsigned long flags_of(const std::vector<std::string_view>& words) {
  constexpr std::pair<const char*, unsigned long> known[] = {
      {"nosuid", MS_NOSUID}, {"nodev", MS_NODEV}, {"noexec", MS_NOEXEC}, {"noatime", MS_NOATIME}};
  unsigned long flags = 0;
  for (const auto& [name, flag] : known)
    if (has(words, name)) flags |= flag;
  return flags;
}

int mount_id_at(const std::string& path) {
  const OwnedFd fd(::open(path.c_str(), O_PATH | O_CLOEXEC));
  if (!fd) return -1;
  char name[64];
  snprintf(name, sizeof name, "/proc/self/fdinfo/%d", fd.get());
  const std::string text = whole_text(name);
  const auto at = text.find("mnt_id:");
  return at == text.npos ? -1 : atoi(text.c_str() + at + 7);
}

}  // namespace

std::vector<Mount> parse_mount_table(std::string_view text) {
  std::vector<Mount> mounts;
  for (const auto line : split(text, '\n')) {
    const auto fields = split(line, ' ');
    const auto dash = std::ranges::find(fields, "-");
    if (fields.size() < 6 || fields.end() - dash < 3) continue;
    const auto own = split(fields[5], ',');
    Mount mount{.id = atoi(std::string(fields[0]).c_str()), .point = unescaped(fields[4]), .type = std::string(dash[1])};
    if (fields.end() - dash > 3) mount.options = dash[3];
    mount.read_only = has(own, "ro") || has(split(mount.options, ','), "ro");
    mount.flags = flags_of(own);
    mounts.push_back(std::move(mount));
  }
  return mounts;
}

std::vector<Mount> visible_mounts() {
  auto mounts = parse_mount_table(whole_text("/proc/self/mountinfo"));
  std::erase_if(mounts, [](const Mount& m) { return mount_id_at(m.point) != m.id; });
  std::ranges::sort(mounts, {}, &Mount::point);
  return mounts;
}

std::uint64_t size_option(std::string_view options) {
  for (const auto word : split(options, ',')) {
    if (!word.starts_with("size=")) continue;
    char* end = nullptr;
    const std::string number(word.substr(5));
    const std::uint64_t value = strtoull(number.c_str(), &end, 10);
    return *end == 'k' ? value << 10 : *end == 'm' ? value << 20 : *end == 'g' ? value << 30 : value;
  }
  return 0;
}

bool lies_below(std::string_view path, std::string_view above) {
  if (above == "/" || path == above) return true;
  return path.size() > above.size() && path.starts_with(above) && path[above.size()] == '/';
}

}  // namespace sigwhy::experiment
