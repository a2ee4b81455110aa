// CPython 3.13 and later put a table of their own offsets at the very start of `_PyRuntime`, for tools that read
// from outside. The table's own shape changes with each release line, so only the lines known here are read.
#pragma once
#include <optional>

#include "python/layout.h"
#include "target/memory.h"

namespace sigwhy::python {

// Nothing where `runtime` holds no such table, its release line is not known, it is a free-threaded build (whose
// objects differ), or an offset lies outside the structure it is said to be in.
std::optional<Layout> described_layout(const Memory& memory, Address runtime);

// Whether such a table says so; false where there is none.
bool is_free_threaded(const Memory& memory, Address runtime);

}  // namespace sigwhy::python
