// Execute breakpoints in single threads, without a byte written into the program: the CPU's debug registers. Two
// ways lead to them. A breakpoint that belongs to a descriptor (perf_event_open) vanishes with it, whoever is
// killed; many systems refuse it to ordinary users. Registers set by ptrace need no permission beyond tracing, but
// must be cleared by somebody (armed_threads.h). The kernel sets the resume flag at a hit: the thread can simply
// go on, and stays armed. Neither way is inherited by fork, and exec clears both.
#pragma once
#include <signal.h>
#include <sys/types.h>

#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/address.h"
#include "base/owned_fd.h"
#include "capture/armed_threads.h"

namespace sigwhy::capture {

class Breakpoints {
 public:
  // `undone` is emptied by somebody else if we are killed; null: nobody would, so registers are not set by ptrace.
  explicit Breakpoints(ArmedThreads* undone);

  // The thread is stopped; at most four addresses, which replace what was armed there. `by_ptrace`: whether the
  // keeper could undo it. False: refused.
  bool arm(pid_t tid, std::span<const Address> at, bool by_ptrace);
  // The thread is stopped.
  void disarm(pid_t tid);
  // The thread has ended or executed another program.
  void forget(pid_t tid);
  // Before letting go of everything.
  void disarm_all();
  // The threads whose registers were set by ptrace.
  std::vector<pid_t> set_by_ptrace() const;
  bool is_set_by_ptrace(pid_t tid) const;

  // Where the breakpoint lies that this SIGTRAP is about; nothing: it is the program's own.
  std::optional<Address> hit(pid_t tid, const siginfo_t& info) const;

 private:
  struct Armed {
    std::vector<Address> at;
    std::vector<OwnedFd> descriptors;  // empty: set by ptrace
  };
  bool arm_by_descriptor(pid_t tid, Armed& armed);
  bool arm_by_ptrace(pid_t tid, const Armed& armed);

  ArmedThreads* undone_;
  bool descriptors_refused_ = false;
  bool registers_refused_ = false;
  std::unordered_map<pid_t, Armed> threads_;
};

}  // namespace sigwhy::capture
