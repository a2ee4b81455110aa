// Execute breakpoints in single threads, without a byte written into the program: the CPU's debug registers. Two
// ways lead to them. A breakpoint that belongs to a descriptor (perf_event_open) vanishes with it, and a hit sends
// the thread SIGURG, which is ignored by default: whoever of us is killed, at whatever moment, the program goes on.
// Many systems refuse it to ordinary users. Registers set by ptrace need no permission beyond tracing, but a hit is
// a SIGTRAP, and somebody must clear them (armed_threads.h). At a hit the kernel sets the resume flag: the thread
// can simply go on, and stays armed. Neither way is inherited by fork.
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
  bool any() const { return !threads_.empty(); }
  // The threads whose registers were set by ptrace.
  std::vector<pid_t> set_by_ptrace() const;
  bool is_set_by_ptrace(pid_t tid) const;

  // Where the breakpoint lies that this signal is about; 0: one that is passed already (the thread had the signal
  // blocked). Nothing: the signal is the program's own.
  std::optional<Address> hit(pid_t tid, const siginfo_t& info) const;
  static bool may_be_hit(int signal) { return signal == SIGTRAP || signal == SIGURG; }

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
