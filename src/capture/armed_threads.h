// Debug registers that were set by ptrace outlive the tracer: after its death, and after a plain detach, the program
// would die of SIGTRAP at the armed address. So whoever sets one writes the thread into this table first. It lies
// in memory shared with the keeper, who empties it when the supervisor was killed. (Breakpoints that belong to a
// descriptor vanish with it and are not in here.)
#pragma once
#include <sys/types.h>

#include <atomic>
#include <cstddef>

namespace sigwhy::capture {

class ArmedThreads {
 public:
  // Shared with every process forked from here on; null where there is no memory for it.
  static ArmedThreads* make();

  // False: there is no room, do not arm it.
  bool add(pid_t tid);
  void remove(pid_t tid);

  // By the tracer itself, before it lets go: stops each thread as far as it must and clears it. What cannot be
  // stopped soon stays in the table, for the keeper. Calls nothing but the kernel, so a signal handler may use it.
  void clear_as_tracer();
  // By the keeper, once the tracer is dead.
  void clear_as_keeper();

 private:
  static constexpr std::size_t capacity = 1024;
  std::atomic<pid_t> tids_[capacity];
};

// Breakpoints off; the thread is stopped and ours. False where it is neither.
bool clear_debug_registers(pid_t tid);

}  // namespace sigwhy::capture
