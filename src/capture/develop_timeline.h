// From the record of a run to the evidence: the series, its steps, its last line, what bounded it. The record comes
// out of shared memory or a file and is believed no further than it makes sense.
#pragma once
#include <optional>
#include <string>

#include "capture/run_record.h"
#include "evidence/memory_bounds.h"
#include "evidence/timeline.h"
#include "target/target.h"

namespace sigwhy::capture {

// A copy of it, sound in its counts and with an end to each of its texts.
std::optional<RunRecord> record_in(const std::string& bytes);

Timeline timeline_of(const RunRecord& record);
// With the counters as they were at the last reading; `now` what they are at the end is for others to add.
MemoryBounds bounds_of(const RunRecord& record);

// From the arena's file "timeline".
std::optional<Timeline> timeline_of(const Target& target);

}  // namespace sigwhy::capture
