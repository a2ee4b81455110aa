// Grab: copy what a death needs out of a stopped process, into an arena, in priority order and within fixed
// bounds of bytes and time. It allocates nothing; each bound it meets is a gap in the arena. Everything that
// needs thought (unwinding, names, texts) happens later, in the developing process, on these copies.
#pragma once
#include <signal.h>
#include <sys/types.h>

#include <span>

#include "capture/last_words.h"
#include "capture/process_files.h"
#include "capture/thread_look.h"
#include "target/arena.h"

namespace sigwhy::capture {

// A thread of a process that lives on.
struct LivingThread : Watched {
  // To stop; else it sleeps in a call that must not be disturbed. One that was asked runs no code of the program's
  // any more: if it slept before, it is still where it was seen, even if it has had no time to stop yet.
  bool asked = false;
  bool stopped = false;
};

struct GrabRequest {
  pid_t pid = 0;
  pid_t dying = 0;                  // the thread that took the signal, or stands at a breakpoint
  const siginfo_t* info = nullptr;  // absent: none was seen (SIGKILL)
  std::span<const pid_t> others;    // stopped threads besides the dying one
  std::size_t running = 0;          // threads that did not stop in time
  const ProcessFiles* files = nullptr;  // opened in advance
  bool killed = false;              // outright, perhaps for its memory: what that held is looked at
  pid_t forked_from = 0;            // runs the same program; with its files
  const ProcessFiles* parent_files = nullptr;
  // A process that was killed outright may have been killed because there is no memory: then nothing is opened.
  bool may_open = true;
  bool handled_first = false;
  const char* stopped_at = nullptr;  // the function whose breakpoint the thread stands at; absent: a signal stopped it
  std::int64_t started_unix_s = 0;
  double after_seconds = 0;
  StderrStart stderr_start;
  // The guarded heap was asked for: why it is not in any process of this run, or "" where it should be.
  const char* guard_asked = nullptr;
  bool lives_on = false;
  double until_s = 0;  // monotonic: when a living one must go on
  std::span<const LivingThread> living;  // its threads, the main one first
};

// Everything: registers, stacks, memory, texts.
void grab(const GrabRequest& request, ArenaWriter& arena);

// Looks at the Python side of a process that goes on, for nothing but to remember what the look needs of files. Racy,
// and no harm in that. `scratch` is a place for copies that nobody will read.
void rehearse(const GrabRequest& request, ArenaWriter& scratch);

// A Python exception: the thread that raised it and the interpreter's side. Small, because most that are grabbed end
// nothing; add_identity() is for those that did.
void grab_exception(const GrabRequest& request, ArenaWriter& arena);
void add_identity(const GrabRequest& request, ArenaWriter& arena);

// Only who it was: for an end that left nothing else to read.
void grab_identity(const GrabRequest& request, ArenaWriter& arena);

// A process that runs on: what needs it to stand still. Who it is (grab_identity) can be read before.
void grab_living(const GrabRequest& request, ArenaWriter& arena);

// Threads of a living process that were asked to stop and have not yet.
struct Missing {
  std::size_t at_work = 0;
  std::size_t asleep = 0;  // when they were asked; they are read as they were seen then, if need be

  // Whether it is better to begin than to wait for them, so long after the first was asked.
  bool enough(double seconds, std::size_t threads) const {
    const double a_little = 0.006 + 0.00005 * static_cast<double>(threads);
    return at_work ? seconds > 2 * a_little : !asleep || seconds > a_little;
  }
};

// How long a living process of so many threads may stand still.
constexpr double most_still_seconds(std::size_t threads) { return 0.025 + 0.0002 * static_cast<double>(threads); }

}  // namespace sigwhy::capture
