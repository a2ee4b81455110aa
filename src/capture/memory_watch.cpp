#include "capture/memory_watch.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>

#include "capture/clock.h"
#include "capture/read_again.h"

namespace sigwhy::capture {

namespace {

constexpr std::size_t most_groups = 8;
constexpr std::uint64_t room_to_start_bytes = 24u << 20;
// The kernel's line about a kill follows the kill.
constexpr int looks_at_log = 20;
constexpr unsigned between_looks_us = 100;

}  // namespace

bool MemoryWatch::open_more() {
  switch (step_) {
    case Step::machine:
      machine_ = MachineMemory::open(monotonic_s());
      step_ = Step::log;
      return true;
    case Step::log:
      log_ = KernelLog::open();
      step_ = Step::witness;
      return true;
    case Step::witness:
      if (!witness_.open_more()) step_ = Step::ready;
      return true;
    case Step::ready: break;
  }
  return false;
}

const MemoryGroups* MemoryWatch::groups_of(std::string_view line) const {
  const auto found = std::ranges::find(groups_, line, &MemoryGroups::line);
  return found == groups_.end() ? nullptr : &*found;
}

MemoryGroups* MemoryWatch::groups_of(std::string_view line) {
  return const_cast<MemoryGroups*>(std::as_const(*this).groups_of(line));
}

void MemoryWatch::follow(std::string_view line) {
  if (line.empty() || groups_of(line)) return;
  if (groups_.size() >= most_groups) groups_.erase(groups_.begin() + 1);  // the first is the root's
  groups_.push_back(MemoryGroups::of(std::string(line), monotonic_s()));
}

void MemoryWatch::remember() {
  const double now = monotonic_s();
  machine_.remember(now);
  for (MemoryGroups& groups : groups_) groups.remember(now);
  log_.read_on();
  witness_.read_on();
}

std::size_t MemoryWatch::uncounted_since(double then_s) const {
  if (killed_count_ > killed_.size() && killed_[killed_count_ % killed_.size()].at_s > then_s) return killed_.size();
  return static_cast<std::size_t>(
      std::ranges::count_if(killed_, [&](const Killed& k) { return k.at_s > then_s && !k.counted; }));
}

void MemoryWatch::hear(MemoryGroups& groups, double now_s) const {
  RecordedLevels levels;
  double started_s = 0;
  const auto count = groups.level_count();
  if (!table_ || !table_->counters(levels, started_s) || levels.count < count) return;
  if (groups.folder() != std::string_view(levels.directory, strnlen(levels.directory, sizeof levels.directory))) return;
  const bool newest = started_s + levels.newer.at_s + surely_before_s <= now_s;
  const RecordedCounters& read = newest ? levels.newer : levels.older;
  if (read.at_s <= 0) return;
  std::array<GroupCounters, record_levels> counters;
  const auto known = [](std::int64_t n) { return n < 0 ? std::nullopt : std::optional(static_cast<std::uint64_t>(n)); };
  for (std::size_t i = 0; i < count; ++i) counters[i] = {known(read.level[i].kills), known(read.level[i].limit_hits)};
  groups.hear(started_s + read.at_s, std::span(counters).first(count));
}

Killing MemoryWatch::look(pid_t pid, std::span<const pid_t> threads, std::string_view line) {
  const double now = monotonic_s();
  MemoryGroups* groups = groups_of(line);
  if (groups) hear(*groups, now);
  const auto counted = groups ? groups->kills_since(now) : machine_.kills_since(now);
  log_.read_on();
  for (int i = 0; i < looks_at_log && log_ && counted.value_or(0) && !log_.names(pid); ++i) {
    usleep(between_looks_us);
    log_.read_on();
  }
  witness_.read_on();
  Killing killing{.sent = witness_.sent_to(pid, threads, SIGKILL), .asked = witness_.sent_to(pid, threads, SIGTERM)};
  const bool by_process = killing.sent && killing.sent->code <= 0;
  const bool log_decides = log_ && in_first_pid_namespace();
  killing.for_memory = log_.names(pid) || (counted.value_or(0) && !by_process && !log_decides);
  return killing;
}

void MemoryWatch::take(std::string_view line, std::size_t doubtful, ArenaWriter& arena) {
  const double now = monotonic_s();
  log_.read_on();
  machine_.take(arena, now);
  log_.take(arena, now);
  if (witness_.absent() == KillWitness::Absent::too_many_cpus)
    arena.gap("who sent SIGKILL", "watching it on more than 64 CPUs would take too much memory", "");
  const MemoryGroups* groups = groups_of(line);
  if (!groups) {
    if (!line.empty()) arena.gap("the limits of its control group", "it had come to that group only just before", "");
    return;
  }
  groups->take(arena, now);
  TextRecord out(arena, "kill_window");
  out.line("%zu %zu %d %d\n", uncounted_since(groups->before_s(now)), doubtful, getpid(), getppid());
}

std::size_t MemoryWatch::settle(std::string_view line, const Killing& killing) {
  MemoryGroups* groups = groups_of(line);
  killed_[killed_count_++ % killed_.size()] = {monotonic_s(), killing.for_memory};
  if (killing.for_memory) {
    machine_.claim_one();
    if (groups) groups->claim_one(monotonic_s());
  }
  return groups ? static_cast<std::size_t>(groups - groups_.data()) : groups_.size();
}

bool MemoryWatch::has_room(std::size_t group) const {
  const auto room = group < groups_.size() ? groups_[group].room_bytes() : std::nullopt;
  return !room || *room > room_to_start_bytes;
}

bool MemoryWatch::has_room(std::string_view line) const {
  const MemoryGroups* groups = groups_of(line);
  return !groups || has_room(static_cast<std::size_t>(groups - groups_.data()));
}

}  // namespace sigwhy::capture
