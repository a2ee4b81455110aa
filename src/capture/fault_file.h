// The file behind a SIGBUS, as it is while the process still stands.
#pragma once
#include "capture/grab.h"
#include "capture/map_table.h"

namespace sigwhy::capture {

void record_fault_file(const GrabRequest& request, const MapTable& maps, ArenaWriter& arena);

}  // namespace sigwhy::capture
