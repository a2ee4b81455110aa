// What ate the memory, in a few rows: the names that hold the most, then the rest in one line.
#pragma once
#include "report/view.h"

namespace sigwhy::report {

// "7.2 GiB", "2,412 float32 arrays (1024, 784) in `history`".
Row holder_row(const MemoryHolder& holder);

// Only where the findings that are told are about memory.
std::vector<Row> holder_rows(const Snapshot& snapshot, const std::vector<const Finding*>& told);

// Everything: all parts, all holders, copies, types.
std::vector<Section> memory_sections(const Snapshot& snapshot);

}  // namespace sigwhy::report
