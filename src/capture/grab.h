// Grab: copy what a death needs out of a stopped process, into an arena, in priority order and within fixed
// bounds of bytes and time. It allocates nothing; each bound it meets is a gap in the arena. Everything that
// needs thought (unwinding, names, texts) happens later, in the developing process, on these copies.
#pragma once
#include <signal.h>
#include <sys/types.h>

#include <span>

#include "target/arena.h"

namespace sigwhy::capture {

struct GrabRequest {
  pid_t pid = 0;
  pid_t dying = 0;                  // the thread that took the signal, or stands at a breakpoint
  const siginfo_t* info = nullptr;  // absent: none was seen (SIGKILL)
  std::span<const pid_t> others;    // stopped threads besides the dying one
  std::size_t running = 0;          // threads that did not stop in time
  int maps_fd = -1;                 // opened in advance; -1: open now
  bool handled_first = false;
  const char* stopped_at = nullptr;  // the function whose breakpoint the thread stands at; absent: a signal stopped it
  std::int64_t started_unix_s = 0;
  double after_seconds = 0;
};

// Everything: registers, stacks, memory, texts.
void grab(const GrabRequest& request, ArenaWriter& arena);

// A Python exception: the thread that raised it and the interpreter's side. Small, because most that are grabbed end
// nothing; add_identity() is for those that did.
void grab_exception(const GrabRequest& request, ArenaWriter& arena);
void add_identity(const GrabRequest& request, ArenaWriter& arena);

// Only who it was: for an end that left nothing else to read.
void grab_identity(const GrabRequest& request, ArenaWriter& arena);

}  // namespace sigwhy::capture
