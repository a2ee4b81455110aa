// Which files a stopped process has open, and how far it is in each: what it was reading when it ended.
#pragma once
#include "capture/grab.h"

namespace sigwhy::capture {

// The file "descriptors": a line "5 8192 0100000 /data/train.npy" each, its number, offset and flags (octal). Only
// names that are paths; of very many the first.
// The file "descriptor_count": how many there are in all, where that is known.
void copy_descriptors(const GrabRequest& request, ArenaWriter& arena);

}  // namespace sigwhy::capture
