// Copies what is needed to read the Python side later (frames, values, the exception, who holds which array), by
// walking it now.
#pragma once
#include "base/function_ref.h"
#include "capture/keepsake.h"
#include "capture/map_table.h"
#include "python/everything.h"
#include "target/arena.h"
#include "target/memory.h"

namespace sigwhy::capture {

// With a keepsake: what it reads of files is kept there. `before_values` is called once, when the frames are copied and
// before values take the room that is left.
void copy_python(const Memory& memory, const MapTable& maps, const python::Wanted& wanted, ArenaWriter& arena,
                 Keepsake* keepsake = nullptr, FunctionRef<void()> before_values = [] {});

}  // namespace sigwhy::capture
