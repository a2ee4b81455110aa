// The developing program that lies beside this one, and starting it for a death.
#pragma once
#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/owned_fd.h"

namespace sigwhy::capture {

// The words that start the developing program: the bundled loader in front where one lies beside it, so that it
// runs on systems whose libraries are older than ours. Empty: not installed.
std::vector<std::string> companion_command();

// A file that lies where the developing program does; empty: it does not.
std::string beside_companion(const char* name);

// What the supervisor tells the developing process once the end is known.
struct EndMessage {
  std::int32_t wait_status;
  std::int32_t print;    // 0: without a word; 1: if it is worth it; 2: in any case
  std::int32_t answers;  // this is the case the user asked for, not a bystander's death
  // Its exception may be the echo of a child's death: it keeps silent then, and answers `child_answers`.
  std::int32_t yields;
  double after_seconds;
  std::int32_t root_pid;  // 0: the process that died is the one the user started
  std::int32_t root_wait_status;
};

// Descriptors as the developing process finds them.
inline constexpr int developer_arena_fd = 3;
inline constexpr int developer_root_fd = 4;
inline constexpr int developer_gate_fd = 5;

inline constexpr double child_answers = -1;

struct Developer {
  pid_t pid = 0;
  OwnedFd gate;  // EndMessage goes in, a time comes out when report and case are written
  int error = 0;  // why it could not be started
};

Developer start_developer(const std::vector<std::string>& command, const std::vector<std::string>& arguments,
                          int arena_fd, int root_fd);

}  // namespace sigwhy::capture
