#include "capture/sampled_groups.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cstring>
#include <span>
#include <string>

#include "capture/clock.h"
#include "target/kernel_text.h"
#include "target/control_groups.h"
#include "capture/memory_groups.h"
#include "capture/read_again.h"

namespace sigwhy::capture {

namespace {

constexpr std::uint64_t no_limit_bytes = std::uint64_t{1} << 60;  // version 1 writes a huge number for "none"

OwnedFd open_file(const GroupPlace& place, const char* name) {
  return OwnedFd(::open((place.folder + "/" + name).c_str(), O_RDONLY | O_CLOEXEC));
}

const char* limit_name(const GroupPlace& place) { return place.version == 1 ? "memory.limit_in_bytes" : "memory.max"; }

std::uint64_t limit_in(std::string_view text) {
  const auto limit = number_at(text);
  return limit < 0 || static_cast<std::uint64_t>(limit) >= no_limit_bytes ? 0 : static_cast<std::uint64_t>(limit);
}

void copy_text(std::span<char> into, std::string_view text) {
  const auto size = std::min(text.size(), into.size() - 1);
  std::memcpy(into.data(), text.data(), size);
  std::memset(into.data() + size, 0, into.size() - size);
}

RecordedLevel level_of(const GroupPlace& place) {
  struct stat status {};
  ::stat(place.folder.c_str(), &status);
  return {.inode = status.st_ino,
          .limit_bytes = limit_in(read_short_again(open_file(place, limit_name(place)))),
          .killed_as_one = number_at(read_short_again(open_file(place, "memory.oom.group"))) == 1};
}

}  // namespace

SampledGroups::SampledGroups(RunRecord& record) : record_(record) {
  for (auto* counters : {&record_.levels.newer, &record_.levels.older})
    for (auto& level : counters->level) level = {-1, -1, -1};
}

void SampledGroups::find(pid_t pid) {
  auto places = group_places(group_line_of(pid, "memory"), "memory");
  if (places.empty()) return;
  auto& recorded = record_.levels;
  if (record_.group.version && places[0].folder == recorded.directory) return;
  if (places.size() > record_levels) places.resize(record_levels);
  copy_text(recorded.path, places[0].path);
  copy_text(recorded.directory, places[0].folder);
  recorded.newer.at_s = recorded.older.at_s = 0;
  recorded.count = 0;
  std::size_t limiting = places.size();
  for (const GroupPlace& place : places) {
    const auto i = recorded.count++;
    recorded.level[i] = level_of(place);
    levels_[i].events = open_file(place, place.version == 1 ? "memory.oom_control" : "memory.events");
    levels_[i].local = place.version == 1 ? OwnedFd() : open_file(place, "memory.events.local");
    levels_[i].hits = place.version == 1 ? open_file(place, "memory.failcnt") : OwnedFd();
    if (recorded.level[i].limit_bytes && limiting == places.size()) limiting = i;
  }
  const auto& place = places[limiting < places.size() ? limiting : 0];
  copy_text(record_.group.path, place.path);
  copy_text(record_.group.directory, place.folder);
  record_.group.version = place.version;
  used_ = open_file(place, place.version == 1 ? "memory.usage_in_bytes" : "memory.current");
  limit_ = open_file(place, limit_name(place));
  stat_ = open_file(place, "memory.stat");
  read_limit();
}

void SampledGroups::read_limit() { record_.group.limit_bytes = limit_in(read_short_again(limit_)); }

RecordedCounts SampledGroups::counts_of(const Level& level) const {
  RecordedCounts counts{-1, -1, -1};
  const auto text = read_short_again(level.events);
  counts.kills = number_behind(text, "oom_kill ");
  if (record_.group.version == 1) {
    counts.limit_hits = number_at(read_short_again(level.hits));
    return counts;
  }
  counts.kills_below = counts.kills;
  const auto own = read_short_again(level.local);
  if (own.empty()) return counts;
  counts.kills = number_behind(own, "oom_kill ");
  counts.limit_hits = number_behind(own, "oom ");
  return counts;
}

void SampledGroups::read(Reading& reading) {
  const auto used = number_at(read_short_again(used_));
  reading.group_kib = not_read;
  if (used < 0) return;
  reading.group_kib = static_cast<std::uint32_t>(std::min<std::int64_t>(used >> 10, not_read - 1));
  record_.group.used_bytes = static_cast<std::uint64_t>(used);
  auto& recorded = record_.levels;
  if (recorded.newer.at_s > 0 && reading.at_s - recorded.newer.at_s < surely_before_s) return;
  recorded.older = recorded.newer;
  const double began_s = monotonic_s();
  for (std::size_t i = 0; i < recorded.count; ++i) recorded.newer.level[i] = counts_of(levels_[i]);
  recorded.newer.at_s = reading.at_s + monotonic_s() - began_s;  // in a full group it may have had to wait
}

std::uint64_t SampledGroups::firm_bytes() {
  const auto used = record_.group.used_bytes;
  if (used < record_.group.limit_bytes / 2) return used;
  const auto text = read_short_again(stat_);
  const bool old = record_.group.version == 1;
  const auto files = number_behind(text, old ? "total_cache " : "file ") - number_behind(text, old ? "total_shmem " : "shmem ");
  return files > 0 ? used - std::min(used, static_cast<std::uint64_t>(files)) : used;
}

}  // namespace sigwhy::capture
