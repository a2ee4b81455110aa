// The control groups that limit how many threads and processes there may be (pids.max), read while a process that may
// have been refused one is stopped. The refusal itself leaves nothing but EAGAIN, which is the answer of every limit on
// threads; but a group counts its own (pids.events). So the counters are read once while the run is young, to see later
// whether they rose. Takes memory and opens files: not for a process that was killed.
#pragma once
#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "target/arena.h"
#include "target/control_groups.h"

namespace sigwhy::capture {

class TaskGroups {
 public:
  // The counters of this process's groups as they are now, unless they are known already.
  void remember(pid_t pid);
  // The file "task_groups": of each level three lines, numbers (limit, tasks, refusals before and now; "-": none), the
  // path, and where the limit is set.
  void take(pid_t pid, ArenaWriter& arena) const;

 private:
  struct Level {
    GroupPlace place;
    std::int64_t refusals_before = -1;  // -1: not known
  };
  struct Known {
    std::string line;
    std::vector<Level> levels;
  };

  static std::vector<Level> levels_of(const std::string& line);
  const Known* known(std::string_view line) const;

  std::vector<Known> known_;
};

}  // namespace sigwhy::capture
