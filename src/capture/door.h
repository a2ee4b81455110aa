// `sigwhy attach` on a process that a supervisor traces already: a process has one tracer at most, so the supervisor
// is asked to look. It sleeps in waitid and holds no socket; it is woken by SIGUSR2, whose value names an abstract
// socket that the asker listens on. It calls back there, checks who that is, and hands over the arena.
#pragma once
#include <sys/types.h>

#include <cstdint>

#include "base/owned_fd.h"

namespace sigwhy::capture {

struct DoorAnswer {
  std::int32_t error = 0;  // an errno: ESRCH not traced here, EBUSY it is dying
  std::int32_t reserved = 0;
  double stopped_ms = 0;
};

// One who has knocked and was called back.
struct Visitor {
  OwnedFd line;
  pid_t wants = 0;  // the process to look into
};

// The supervisor's side. The signal is let in only while it sleeps, so that it can interrupt nothing else.
void open_door();
class DoorAjar {
 public:
  DoorAjar();
  ~DoorAjar();
  DoorAjar(const DoorAjar&) = delete;
};
// The visitor who has knocked since; without a line where nobody did, or somebody whom we do not serve.
Visitor answer_door();
void answer(const Visitor& visitor, const DoorAnswer& answer, int arena_fd);

}  // namespace sigwhy::capture
