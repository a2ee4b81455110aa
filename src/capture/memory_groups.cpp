#include "capture/memory_groups.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <span>

#include "capture/clock.h"
#include "capture/read_again.h"

namespace sigwhy::capture {

namespace {

constexpr const char* files_v2[] = {"memory.current", "memory.max",          "memory.high",      "memory.swap.max",
                                    "memory.peak",    "memory.events",       "memory.oom.group", "memory.stat",
                                    "cgroup.procs",   "memory.events.local", "memory.pressure"};
constexpr const char* files_v1[] = {"memory.usage_in_bytes", "memory.limit_in_bytes",     "memory.memsw.limit_in_bytes",
                                    "memory.failcnt",        "memory.max_usage_in_bytes", "memory.oom_control",
                                    "memory.stat",           "memory.kmem.usage_in_bytes", "cgroup.procs"};
constexpr std::size_t most_processes = 256;
// In a full group reading takes memory and has to wait for it, perhaps until somebody has been killed: the counters are
// then those of the end of the wait, and where it was the first reading, those before are not known.
constexpr double waited_s = 0.5;
// Version 1 says "no limit" with the largest multiple of a page.
constexpr std::uint64_t no_limit = std::uint64_t{1} << 62;

std::optional<std::uint64_t> number_after(std::string_view text, std::string_view key) {
  std::size_t at = 0;
  while (at < text.size() && !text.substr(at).starts_with(key)) {
    at = text.find('\n', at);
    if (at == text.npos) return std::nullopt;
    ++at;
  }
  at += key.size();
  if (at >= text.size() || text[at] < '0' || text[at] > '9') return std::nullopt;
  std::uint64_t value = 0;
  for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at)
    value = value * 10 + static_cast<std::uint64_t>(text[at] - '0');
  return value;
}

// The list of version 1 may be a second old, so each is asked: who has no memory any more, were it as a zombie, is
// found nowhere; of all others one is told that the address is bad, or that it is none of our business.
bool has_ended(pid_t pid) {
  char byte = 0;
  const iovec here{&byte, 1}, there{nullptr, 1};
  return process_vm_readv(pid, &here, 1, &there, 1, 0) < 0 && errno == ESRCH;
}

}  // namespace

MemoryGroups::Level MemoryGroups::open_level(GroupPlace place) {
  Level level{.place = std::move(place)};
  const auto names = level.place.version == 2 ? std::span<const char* const>(files_v2) : std::span<const char* const>(files_v1);
  for (const char* name : names) {
    OwnedFd fd = open_again(level.place.folder + "/" + name);
    if (fd) level.files.push_back({name, std::move(fd)});
  }
  return level;
}

MemoryGroups MemoryGroups::of(std::string line, double now_s) {
  const double began_s = monotonic_s();
  MemoryGroups groups;
  for (auto& place : group_places(line, "memory")) {
    Level level = open_level(std::move(place));
    const bool counts = std::ranges::any_of(level.files, [](const File& f) {
      return !strcmp(f.name, "memory.current") || !strcmp(f.name, "memory.usage_in_bytes");
    });
    if (counts) groups.levels_.push_back(std::move(level));  // the root of version 2 has no use and no limit
  }
  groups.line_ = std::move(line);
  groups.heard_.counters.resize(groups.levels_.size());
  groups.remember(now_s);
  if (monotonic_s() - began_s > waited_s) std::ranges::fill(groups.newer_.counters, GroupCounters{});
  return groups;
}

GroupCounters MemoryGroups::counters_of(const Level& level) {
  GroupCounters counters;
  std::optional<std::uint64_t> kills_below;
  for (const File& f : level.files) {
    const auto is = [&](const char* name) { return strcmp(f.name, name) == 0; };
    if (is("memory.events.local")) {
      const auto text = read_again(f.fd.get());
      counters.kills = number_after(text, "oom_kill ");
      counters.limit_hits = number_after(text, "oom ");
    } else if (is("memory.events")) {
      kills_below = number_after(read_again(f.fd.get()), "oom_kill ");
    } else if (is("memory.oom_control")) {
      counters.kills = number_after(read_again(f.fd.get()), "oom_kill ");
    } else if (is("memory.failcnt")) {
      counters.limit_hits = number_after(read_again(f.fd.get()), "");
    }
  }
  if (!counters.kills) counters.kills = kills_below;
  return counters;
}

const MemoryGroups::Reading& MemoryGroups::before(double now_s) const {
  return newer_.at_s + surely_before_s > now_s && older_.at_s > 0 ? older_ : newer_;
}

void MemoryGroups::remember(double now_s) {
  if (newer_.at_s > 0 && newer_.at_s + surely_before_s > now_s) return;
  const double began_s = monotonic_s();
  std::swap(newer_, older_);
  newer_.counters.clear();
  for (const Level& level : levels_) newer_.counters.push_back(counters_of(level));
  read_processes(newer_);
  const double took_s = monotonic_s() - began_s;
  newer_.at_s = took_s > waited_s ? now_s + took_s : now_s;
}

void MemoryGroups::hear(double at_s, std::span<const GroupCounters> counters) {
  if (at_s <= heard_.at_s || at_s <= claimed_s_ || counters.size() != heard_.counters.size()) return;
  std::ranges::copy(counters, heard_.counters.begin());
  heard_.at_s = at_s;
}

// A younger reading leaves fewer others to mistake it for. But where nothing rose since, somebody who took long to end
// may have been counted before it: then the older one counts.
const MemoryGroups::Reading& MemoryGroups::counted_before(double now_s) const {
  const Reading& own = before(now_s);
  if (levels_.empty() || heard_.at_s <= own.at_s || heard_.at_s + surely_before_s > now_s) return own;
  const auto then = heard_.counters[0].kills, now = counters_of(levels_[0]).kills;
  return then && now && *now > *then ? heard_ : own;
}

void MemoryGroups::claim_one(double now_s) {
  claimed_s_ = now_s;
  if (levels_.empty()) return;
  const auto now = counters_of(levels_[0]).kills;
  for (Reading* reading : {&newer_, &older_, &heard_}) {
    if (reading->counters.empty()) continue;
    auto& then = reading->counters[0].kills;
    if (now && then && *then < *now) ++*then;
  }
}

void MemoryGroups::read_processes(Reading& reading) const {
  reading.processes.clear();
  reading.all_processes = false;
  if (levels_.empty()) return;
  for (const File& f : levels_[0].files) {
    if (strcmp(f.name, "cgroup.procs") != 0) continue;
    auto text = read_again(f.fd.get());
    reading.all_processes = text.size() < read_again_bytes;
    while (!text.empty() && reading.processes.size() < most_processes) {
      if (const auto pid = number_after(text, "")) reading.processes.push_back(static_cast<pid_t>(*pid));
      const auto end = text.find('\n');
      text.remove_prefix(end == text.npos ? text.size() : end + 1);
    }
    reading.all_processes &= text.empty();
  }
}

// Text that says itself what it is: "level", "before", "processes", and each file's bytes behind "file NAME SIZE".
void MemoryGroups::take(ArenaWriter& arena, double now_s) const {
  const Reading &then = before(now_s), &counted = counted_before(now_s);
  TextRecord out(arena, "memory_groups");
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    const Level& level = levels_[i];
    out.line("level %d %s\n", level.place.version, level.place.path.c_str());
    out.line("before %lld", microseconds(now_s - counted.at_s));
    for (const auto& value : {counted.counters[i].kills, counted.counters[i].limit_hits})
      if (value) out.line(" %llu", static_cast<unsigned long long>(*value));
      else out.line(" -");
    out.line("\n");
    for (const File& f : level.files) {
      if (i > 0 && strcmp(f.name, "cgroup.procs") == 0) continue;
      const auto text = read_again(f.fd.get());
      out.line("file %s %zu\n", f.name, text.size());
      out.bytes(text);
    }
  }
  if (!then.all_processes) return;
  out.line("processes");
  for (const pid_t pid : then.processes) out.line(" %d", pid);
  out.line("\ngone");
  for (const pid_t pid : then.processes)
    if (has_ended(pid)) out.line(" %d", pid);
  out.line("\n");
}

std::optional<std::uint64_t> MemoryGroups::kills_since(double now_s) const {
  if (levels_.empty()) return std::nullopt;
  const auto then = counted_before(now_s).counters[0].kills, now = counters_of(levels_[0]).kills;
  if (!now || !then) return std::nullopt;
  return *now - std::min(*now, *then);
}

std::optional<std::uint64_t> MemoryGroups::room_bytes() const {
  std::optional<std::uint64_t> least;
  for (const Level& level : levels_) {
    std::optional<std::uint64_t> used, limit;
    for (const File& f : level.files) {
      const std::string_view name = f.name;
      if (name == "memory.current" || name == "memory.usage_in_bytes") used = number_after(read_again(f.fd.get()), "");
      if (name == "memory.max" || name == "memory.limit_in_bytes") limit = number_after(read_again(f.fd.get()), "");
    }
    if (!used || !limit || *limit >= no_limit) continue;
    const auto room = *limit - std::min(*limit, *used);
    if (!least || room < *least) least = room;
  }
  return least;
}

}  // namespace sigwhy::capture
