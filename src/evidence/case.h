// The one thing that report, store and serve ever receive.
#pragma once
#include <cstdint>
#include <string>

#include "evidence/finding.h"
#include "evidence/snapshot.h"

namespace sigwhy {

struct Case {
  int schema = 1;
  std::string id;  // eight hex digits
  std::string sigwhy_version;
  std::int64_t made_unix_ms = 0;
  Snapshot snapshot;
  Diagnosis diagnosis;
};

}  // namespace sigwhy
