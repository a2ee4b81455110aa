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

// Called once, when the frames are copied and before values take the room that is left. What is read through the memory
// is copied too; null, both, where no interpreter was found.
using BeforeValues = FunctionRef<void(const Memory* recording, const python::Interpreter*)>;

// Remembers the pages it reads, until the next asks: one for the whole supervisor, because it is large.
const Memory& cached_pages(const Memory& memory);

// With a keepsake: what it reads of files is kept there.
void copy_python(const Memory& memory, const MapTable& maps, const python::Wanted& wanted, ArenaWriter& arena,
                 Keepsake* keepsake = nullptr, BeforeValues before_values = [](const Memory*, const python::Interpreter*) {});

}  // namespace sigwhy::capture
