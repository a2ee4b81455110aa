#include "capture/task_groups.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

#include "base/owned_fd.h"
#include "capture/read_again.h"
#include "target/kernel_text.h"

namespace sigwhy::capture {

namespace {

constexpr std::size_t most_groups = 8;
constexpr std::size_t most_text_bytes = 16u << 10;

std::string text_of(const std::string& path) {
  const OwnedFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  char text[256];
  const auto got = fd ? ::read(fd.get(), text, sizeof text) : 0;
  return {text, got > 0 ? static_cast<std::size_t>(got) : 0};
}

// Since Linux 6.11 version 2 counts at the level whose limit it was, and in pids.events also for all groups below it.
// Before, and in version 1, a refusal is counted in the very group that the refused process is in.
std::int64_t refusals_at(const GroupPlace& place, bool own) {
  const std::string local = text_of(place.folder + "/pids.events.local");
  return number_behind(local.empty() && own ? text_of(place.folder + "/pids.events") : local, "max ");
}

void add_number(TextRecord& out, std::int64_t number, const char* behind) {
  if (number < 0) out.line("-%s", behind);
  else out.line("%lld%s", static_cast<long long>(number), behind);
}

}  // namespace

std::vector<TaskGroups::Level> TaskGroups::levels_of(const std::string& line) {
  std::vector<Level> levels;
  for (auto& place : group_places(line, "pids")) levels.push_back({.place = std::move(place)});
  return levels;
}

const TaskGroups::Known* TaskGroups::known(std::string_view line) const {
  const auto found = std::ranges::find(known_, line, &Known::line);
  return found == known_.end() ? nullptr : &*found;
}

void TaskGroups::remember(pid_t pid) {
  std::string line = group_line_of(pid, "pids");
  if (line.empty() || known(line)) return;
  if (known_.size() >= most_groups) known_.erase(known_.begin() + 1);  // the first is the root's
  auto levels = levels_of(line);
  for (Level& level : levels) level.refusals_before = refusals_at(level.place, &level == levels.data());
  known_.push_back({std::move(line), std::move(levels)});
}

void TaskGroups::take(pid_t pid, ArenaWriter& arena) const {
  const std::string line = group_line_of(pid, "pids");
  const Known* const before = known(line);
  const auto levels = before ? before->levels : levels_of(line);
  TextRecord out(arena, "task_groups", most_text_bytes);
  for (const Level& level : levels) {
    const std::string& folder = level.place.folder;
    const auto tasks = number_at(text_of(folder + "/pids.current"));
    if (tasks < 0) continue;  // the root is not counted
    add_number(out, number_at(text_of(folder + "/pids.max")), " ");
    add_number(out, tasks, " ");
    add_number(out, level.refusals_before, " ");
    add_number(out, refusals_at(level.place, &level == levels.data()), "\n");
    out.line("%s\n%s/pids.max\n", level.place.path.c_str(), folder.c_str());
  }
}

}  // namespace sigwhy::capture
