// The kernel's log names every process that it kills for memory ("Killed process 4711 (python3)"); mostly, but not
// when there are many in a row, it also says whose limit was met ("oom-kill:constraint=..."). It is read from where
// it ended when the run began, and never waited for. Its process ids are those of the machine, not of a container.
#pragma once
#include <sys/types.h>

#include <array>
#include <cstddef>

#include "base/owned_fd.h"
#include "target/arena.h"

namespace sigwhy::capture {

class KernelLog {
 public:
  // Without a descriptor where it may not be read.
  static KernelLog open();
  // Takes in what is new. Neither opens nor allocates.
  void read_on();
  // Names this process as killed, in the pids of the machine.
  bool names(pid_t pid) const;
  void take(ArenaWriter& arena, double now_s) const;
  explicit operator bool() const { return bool(fd_); }

 private:
  struct Line {
    char text[720];
  };
  void keep(const char* record, std::size_t size);

  OwnedFd fd_;
  bool lost_ = false;        // it was faster than we were
  std::array<Line, 16> lines_{};  // the newest that matter
  std::size_t count_ = 0;
};

// Whether our process ids are those of the machine.
bool in_first_pid_namespace();

}  // namespace sigwhy::capture
