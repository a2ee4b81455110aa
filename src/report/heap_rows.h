// The guarded heap in a report: the blocks that the findings speak of, below the places; every stack of theirs in the
// details.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "evidence/case.h"
#include "report/view.h"

namespace sigwhy::report {

// ", made at data.py:18" for an array whose data lies in a recorded block; else nothing.
std::string made_text(const Snapshot& snapshot, std::size_t array);

std::vector<Row> heap_rows(const Snapshot& snapshot, const std::vector<const Finding*>& told);
// Native memory that is in use, by the call that allocated it; empty where nobody sampled.
Section native_section(const Snapshot& snapshot);
std::vector<Section> heap_details(const Snapshot& snapshot);

}  // namespace sigwhy::report
