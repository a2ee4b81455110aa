// Copies what is needed to read the Python frames later, by walking them now.
#pragma once
#include "capture/map_table.h"
#include "target/arena.h"
#include "target/memory.h"

namespace sigwhy::capture {

void copy_python_frames(const Memory& memory, const MapTable& maps, ArenaWriter& arena);

}  // namespace sigwhy::capture
