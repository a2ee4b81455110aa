// Memory shared by supervisor and keeper, made before they part. The supervisor writes down which processes there
// are and that the run is over; the keeper's sampler publishes its record here. No locks: neither may ever wait for
// the other longer than a moment, and either may be killed at any time.
#pragma once
#include <sys/types.h>

#include <array>
#include <atomic>
#include <cstdint>

#include "base/owned_fd.h"
#include "capture/glances.h"
#include "capture/run_record.h"
#include "target/arena.h"

namespace sigwhy::capture {

struct WatchedProcess {
  std::atomic<pid_t> pid;            // 0: free
  std::atomic<std::uint32_t> execs;  // counts up: the program behind the pid is another one
};

// What became of the file beside the cases.
enum class RecordState : std::uint32_t { none, making, there, removed, refused };

class RunTable {
 public:
  // Null where there is no memory for it. The root is watched from the start.
  static RunTable* make(pid_t root);

  // By the supervisor.
  void add(pid_t pid);
  void executed(pid_t pid);
  void remove(pid_t pid);
  // The run is over and told: the file goes. Waits for that, but not for a disk that does not answer.
  void end();
  void set_told() { told_.store(true); }  // a developing process had the last word
  // Its pages are in memory from now on: reading them at a death must not need any.
  void prefault() const;
  // What the sampler has read of the control groups' counters, and what its times count from. False: nothing yet, or it
  // was written just then.
  bool counters(RecordedLevels& levels, double& started_monotonic_s) const;
  // Into the arena's file "timeline". Touches no other file. `ran_s`: that nothing was read of a run so short needs no word.
  void copy_into(ArenaWriter& arena, double ran_s) const;

  // By both.
  Glances& glances() { return glances_; }

  // By the sampler.
  static constexpr std::size_t most_watched = 64;
  const std::array<WatchedProcess, most_watched>& watched() const { return watched_; }
  RecordSlots& slots() { return slots_; }
  bool told() const { return told_.load(); }
  bool ending() const { return ending_.load(); }
  RecordState record_state() const { return record_state_.load(); }
  void set_record_state(RecordState state, int error = 0);
  void set_record_number(std::uint32_t number) { record_number_.store(number); }
  std::uint32_t record_number() const { return record_number_.load(); }
  // A text is kept current that must not stay as it is.
  void set_log_is_kept(bool kept) { log_is_kept_.store(kept); }
  bool log_is_kept() const { return log_is_kept_.load(); }
  void set_sampling() { sampling_.store(true); }
  int wake_fd() const { return wake_fd_; }

 private:
  WatchedProcess* slot_of(pid_t pid);
  void say_why_not(ArenaWriter& arena, double ran_s) const;

  std::array<WatchedProcess, most_watched> watched_;
  Glances glances_;
  std::atomic<bool> ending_, sampling_, told_, log_is_kept_;
  std::atomic<RecordState> record_state_;
  std::atomic<int> record_error_;
  std::atomic<std::uint32_t> record_number_;
  int wake_fd_ = -1;
  RecordSlots slots_;
};
static_assert(sizeof(RunTable) <= 128u << 10);

}  // namespace sigwhy::capture
