// The dynamic loader's list of what it loaded, as a file of the arena ("loader"): it dies with the process.
#pragma once
#include "capture/map_table.h"
#include "target/arena.h"
#include "target/memory.h"

namespace sigwhy::capture {

void record_loaded_objects(const Memory& memory, const MapTable& maps, ArenaWriter& arena);

}  // namespace sigwhy::capture
