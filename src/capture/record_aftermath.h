// What the kernel counted and wrote since the last reading of a record that was left behind: the counters of its
// control groups and of the machine as they are now, and the lines of the kernel's log about that moment. A group is
// the same one only if its folder still has the same inode: in a restarted container another has its name.
#pragma once
#include "capture/run_record.h"
#include "evidence/snapshot.h"

namespace sigwhy::capture {

// `snapshot.memory_bounds` holds what the record knows.
void add_aftermath(const RunRecord& record, Snapshot& snapshot);

}  // namespace sigwhy::capture
