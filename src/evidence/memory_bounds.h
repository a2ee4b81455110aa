// What bounds the memory of a process, and whom the kernel chose when a bound was met. A control group counts more
// than its processes hold (page cache, the kernel's own memory) and less than their resident memory adds up to
// (file pages are charged to whoever read them first), so a kill is judged by the group's counters, never by RSS.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sigwhy {

// One level of the memory control groups that a process is in.
struct MemoryGroup {
  std::string path;                          // as the kernel's log names it: "/job_17"
  int version = 2;                           // of the control group interface
  std::optional<std::uint64_t> limit_bytes;  // absent: none
  std::optional<std::uint64_t> swap_limit_bytes;
  std::optional<std::uint64_t> high_bytes;  // from here on the kernel slows it down
  std::optional<std::uint64_t> used_bytes;  // at death
  std::optional<std::uint64_t> peak_bytes;
  // What `used_bytes` is made of, by the group's own account.
  std::optional<std::uint64_t> anonymous_bytes;
  std::optional<std::uint64_t> file_bytes;  // page cache, shared memory left out
  std::optional<std::uint64_t> shared_bytes;
  std::optional<std::uint64_t> kernel_bytes;
  // Processes killed for this group's limit or inside it; the first at the last reading that was surely before.
  std::optional<std::uint64_t> oom_kills_before;
  std::optional<std::uint64_t> oom_kills;
  std::optional<std::uint64_t> limit_hits_before;
  std::optional<std::uint64_t> limit_hits;
  bool killed_as_one = false;               // memory.oom.group: all of it dies at once
  std::optional<std::uint64_t> process_count;  // in this very group at death
};

// The kernel's own word on a kill, from its log or a tracepoint.
struct OomChoice {
  std::int64_t pid = 0;
  std::string command;
  std::optional<bool> for_group;  // a group's limit was met, not the machine's; absent: not said (before Linux 5.3)
  std::string limited_by;  // that group; empty where the line that names it was left out
  std::string group;       // the group the chosen process was in
  std::optional<std::uint64_t> resident_bytes;
  double seconds_before = 0;  // the end
};

// Who else the kernel can have meant when a kill was counted in the process's own group.
struct KillWindow {
  double seconds = 0;  // from the reading before to the death
  std::uint64_t killed = 0;    // traced processes that died of SIGKILL and were not accounted for
  std::uint64_t doubtful = 0;  // traced processes that may have been dying as well
  std::optional<std::uint64_t> gone;       // other processes of the group that had ended by the death
  std::optional<std::uint64_t> strangers;  // processes of the group that were not of the supervised tree
};

struct MemoryBounds {
  std::vector<MemoryGroup> groups;  // the process's own first, then outwards
  std::optional<std::uint64_t> machine_bytes;
  std::optional<std::uint64_t> available_bytes;
  std::optional<std::uint64_t> swap_bytes;
  std::optional<std::uint64_t> swap_free_bytes;
  std::optional<std::uint64_t> machine_oom_kills_before;
  std::optional<std::uint64_t> machine_oom_kills;
  bool log_was_readable = false;   // the kernel log: then a kill that it does not name was none of the kernel's
  bool log_has_other_pids = false;  // the machine's process ids, where ours are a container's
  std::vector<OomChoice> choices;  // since the run began, the newest last
  std::optional<KillWindow> window;
  std::optional<double> stalled_percent;  // of the last ten seconds all tasks waited for memory
};

}  // namespace sigwhy
