// A program whose stderr is a file has written its last words there; a terminal's or pipe's are not ours to read. A log
// that is appended to holds other runs' words too, and reports of ours about them: those are not this run's.
#pragma once
#include <sys/types.h>

#include "target/arena.h"

namespace sigwhy::capture {

// How far a file was written when the run began.
struct StderrStart {
  dev_t device = 0;
  ino_t inode = 0;
  off_t bytes = 0;

  static StderrStart now();  // of our own descriptor 2
};

// The end of what was written to stderr since, where `holder` (we, or the process itself) has that as its descriptor 2.
void add_last_words(pid_t holder, const StderrStart& start, ArenaWriter& arena);

}  // namespace sigwhy::capture
