// The files of /proc/PID that a grab needs, opened and read once while nothing happens: at a kill for memory the
// kernel has no page left to open one with (the call waits two seconds, and meanwhile the program's memory is taken).
// They belong to one program: after an exec they are opened anew. Of what a process may change or let go of (its
// working directory, its root) only the name in /proc is held, never the thing itself.
#pragma once
#include <sys/types.h>

#include <cstdint>
#include <string_view>

#include "base/owned_fd.h"

namespace sigwhy::capture {

struct ProcessFiles {
  OwnedFd memory, maps, smaps, pagemap, status, limits, auxv, group;
  OwnedFd executable, directory, input;  // the links themselves
  std::uint64_t arguments = 0, arguments_end = 0;      // where the kernel says that they lie
  std::uint64_t environment = 0, environment_end = 0;
  char command[16] = "";
  bool same_root = false;  // its root directory is ours

  static ProcessFiles of(pid_t pid);
  explicit operator bool() const { return bool(maps); }
  // False where they were not found in time, or where the kernel has taken the memory that held them.
  bool has_arguments() const;
};

}  // namespace sigwhy::capture
