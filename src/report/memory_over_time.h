// Memory over time, drawn: a line of eight heights, from the start of the run to its end. Against the limit where it
// came near, else against its own largest value.
#pragma once
#include <optional>
#include <vector>

#include "report/view.h"

namespace sigwhy::report {

// "memory   0 s ▁▂▃▅▆▇█ 41 min, limit 8.0 GiB", where the death had to do with memory or may have had.
std::vector<Row> memory_rows(const Snapshot& snapshot, const std::vector<const Finding*>& told);

// Where the main thread was last seen, for an end that nobody saw.
std::vector<Row> last_seen_rows(const Snapshot& snapshot);

std::vector<Section> timeline_details(const Snapshot& snapshot);

}  // namespace sigwhy::report
