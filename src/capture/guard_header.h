// Finding the guard's header in a process: in a writable mapping of its library (or the anonymous one that its zeroed
// data continues in) at the start of a page. Nothing is opened and nothing allocated. The program can have written
// there, so what makes no sense is no header.
#pragma once
#include <sys/types.h>

#include <optional>

#include "capture/map_table.h"
#include "guard/wire.h"
#include "target/memory.h"

namespace sigwhy::capture {

struct FoundGuard {
  Address at;
  guard::Header header;
};

// Whether the library is mapped at all, even where its header cannot be found.
bool maps_guard(const MapTable& maps);
std::optional<FoundGuard> find_guard(const Memory& memory, const MapTable& maps);

// What the guard noted while the process ran, or the check at its end. Opens the maps: for an end without a signal.
bool guard_has_finding(pid_t pid);

}  // namespace sigwhy::capture
