// The control groups of a run as the sampler reads them: what the innermost limited one uses, about ten times a
// second, and the counters of every level every two seconds. Of the counters the two newest readings are kept: a
// process that is being killed is counted a moment before it ends, so only a reading that is a little older tells how
// things stood before.
#pragma once
#include <sys/types.h>

#include <array>

#include "base/owned_fd.h"
#include "capture/run_record.h"

namespace sigwhy::capture {

class SampledGroups {
 public:
  explicit SampledGroups(RunRecord& record);

  // Where `pid` is now; opens files only where that is another group than before.
  void find(pid_t pid);
  void read(Reading& reading);
  void read_limit();
  // What the group uses without the pages of files, which the kernel drops before it kills; as far as that matters.
  std::uint64_t firm_bytes();

 private:
  struct Level {
    OwnedFd events, local, hits;
  };

  RecordedCounts counts_of(const Level& level) const;

  RunRecord& record_;
  std::array<Level, record_levels> levels_;
  OwnedFd used_, limit_, stat_;
};

}  // namespace sigwhy::capture
