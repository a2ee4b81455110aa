// The one thing that report, store and serve ever receive.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "evidence/finding.h"
#include "evidence/outcome.h"
#include "evidence/snapshot.h"

namespace sigwhy {

struct Case {
  int schema = 1;
  std::string id;  // eight hex digits
  std::string sigwhy_version;
  std::int64_t made_unix_ms = 0;
  Snapshot snapshot;
  Diagnosis diagnosis;
  std::vector<Outcome> outcomes;
  std::vector<FixTest> fix_tests;
  std::optional<Snapshot> proof;  // of the re-run in which the mechanism was caught
};

}  // namespace sigwhy
