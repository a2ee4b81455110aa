// The bounds of memory out of the raw texts that were grabbed, and the polite signal that came before a kill.
#pragma once
#include "evidence/snapshot.h"
#include "target/target.h"

namespace sigwhy::capture {

// Absent: nothing was read.
std::optional<MemoryBounds> bounds_of(const Target& target);

// The kernel's words about kills, each as /dev/kmsg gives it, behind a line "now MICROSECONDS whole 1 same_pids 1".
void add_log(std::string_view text, MemoryBounds& bounds);

// Only of a process that was killed outright.
std::optional<AskedBefore> asked_before(const Target& target);

}  // namespace sigwhy::capture
