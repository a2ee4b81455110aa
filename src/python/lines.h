// From an instruction offset to a source line: CPython's line tables, 2.7's to today's.
#pragma once
#include <cstddef>
#include <optional>
#include <span>

#include "python/layout.h"

namespace sigwhy::python {

struct Location {
  int line = 0;
  std::optional<int> column;      // 0-based, as CPython keeps it
  std::optional<int> end_column;  // absent too where the expression ends on another line
};

// `offset` is in bytes from the start of the bytecode. Nothing where the table has no line for it, or makes no
// sense.
std::optional<Location> location_of(LineTable kind, std::span<const std::byte> table, int first_line, int offset);

}  // namespace sigwhy::python
