// The memory control groups of a process, its own first and then outwards to the root: each level has a limit of its
// own, and the kernel kills when any of them is met. Version 1 counts kills in the chosen process's own group alone;
// version 2 in every level above it too, and in memory.events.local in its own. What is used is read through
// descriptors that were opened and read once beforehand: in a full group the first read of a file waits for memory.
#pragma once
#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/owned_fd.h"
#include "target/control_groups.h"
#include "target/arena.h"

namespace sigwhy::capture {

// Counters of one level at one moment.
struct GroupCounters {
  std::optional<std::uint64_t> kills;       // of processes in this very group
  std::optional<std::uint64_t> limit_hits;  // times that memory was refused because of this very limit
};

// A process that is being killed reaches its end a moment after it was counted, so a reading younger than this does
// not tell how things stood before.
inline constexpr double surely_before_s = 2;

class MemoryGroups {
 public:
  // Opens the levels of `line` and reads everything once.
  static MemoryGroups of(std::string line, double now_s);

  // Keeps the counters as they are now, unless it was done only just before.
  void remember(double now_s);
  // The same, read by somebody who does it more often than we do; one entry per level. Allocates nothing.
  void hear(double at_s, std::span<const GroupCounters> counters);
  // One of the kills that were counted is known to be that of a process which has been dealt with.
  void claim_one(double now_s);

  // Every file as it is now and the counters as they were, behind what the arena holds. Neither opens nor allocates.
  void take(ArenaWriter& arena, double now_s) const;
  // Kills in this very group since the reading before.
  std::optional<std::uint64_t> kills_since(double now_s) const;
  // The least that is left below any limit; absent: no limit.
  std::optional<std::uint64_t> room_bytes() const;
  // When the counters were read that count as those before.
  double before_s(double now_s) const { return counted_before(now_s).at_s; }

  const std::string& line() const { return line_; }
  std::size_t level_count() const { return levels_.size(); }
  // Where its own group is; empty: none is to be seen.
  std::string_view folder() const { return levels_.empty() ? std::string_view() : levels_[0].place.folder; }

 private:
  struct File {
    const char* name;
    OwnedFd fd;
  };
  struct Level {
    GroupPlace place;
    std::vector<File> files;
  };
  struct Reading {
    double at_s = 0;  // 0: none yet
    std::vector<GroupCounters> counters;
    std::vector<pid_t> processes;  // of its own group
    bool all_processes = false;
  };

  static Level open_level(GroupPlace place);
  static GroupCounters counters_of(const Level& level);
  const Reading& before(double now_s) const;
  // The counters that count as those before; which processes there were is known from our own readings alone.
  const Reading& counted_before(double now_s) const;
  void read_processes(Reading& reading) const;

  std::string line_;
  std::vector<Level> levels_;
  Reading newer_, older_, heard_;
  double claimed_s_ = 0;  // what others read before has that kill still to come
};

}  // namespace sigwhy::capture
