// When a process began and how long it has lived, as /proc/PID/stat tells it: in clock ticks since the boot.
#pragma once
#include <sys/types.h>

#include <cstdint>

#include "target/arena.h"

namespace sigwhy::capture {

struct LifeSpan {
  std::int64_t started_unix_s = 0;
  double seconds = 0;
  bool ended = false;  // a zombie
  std::uint64_t start_ticks = 0;  // the kernel's own number: with the pid it names one process of this boot
};

LifeSpan life_span_of(pid_t pid);

// What its threads have used of the processors, for a process that is being killed.
void write_cpu_time(pid_t pid, ArenaWriter& arena);

}  // namespace sigwhy::capture
