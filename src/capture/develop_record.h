// A record that was left behind: program and sigwhy ended together, so there was no stop in which anything could be
// grabbed. What the record holds becomes a Snapshot; what it cannot hold becomes gaps.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "base/owned_fd.h"
#include "capture/run_record.h"
#include "evidence/snapshot.h"

namespace sigwhy::capture {

struct LeftRecord {
  OwnedFd lock;  // as long as it is held nobody else takes the record
  RunRecord record;
  std::unique_ptr<RecordedHolders> holders;  // never null; without bytes where there was no look
};

// Nothing where somebody still writes it, its program still runs, or it is no record.
std::optional<LeftRecord> left_record(const std::string& path);

Snapshot develop_record(const LeftRecord& left);

}  // namespace sigwhy::capture
