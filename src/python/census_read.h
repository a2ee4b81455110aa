// Reads the record of a census back. It comes out of a dying process's memory or a file: whatever is wrong with it
// makes less of it, never more.
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "evidence/memory_use.h"

namespace sigwhy::python {

struct CensusFacts {
  std::vector<MemoryHolder> holders;  // the largest first
  std::vector<TypeCount> types;
  std::vector<MemoryCopy> copies;
  std::uint64_t objects = 0, object_bytes = 0, arrays = 0, array_bytes = 0;
  bool cut_short = false;  // before all of the user's own names were followed
};

std::optional<CensusFacts> read_census(std::string_view bytes);

}  // namespace sigwhy::python
