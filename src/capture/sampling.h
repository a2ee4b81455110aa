// The sampler at work: a thread of the keeper, which otherwise sleeps. A disk that does not answer may hold it up for
// seconds; neither the supervisor's stops nor the keeper's relay ever wait for it. It measures its own time and reads
// less often where readings are dear, so that its share of a core is bounded whatever the program is.
#pragma once
#include <pthread.h>
#include <sys/types.h>

#include <atomic>

#include "capture/plan.h"
#include "capture/report_place.h"
#include "capture/run_table.h"

namespace sigwhy::capture {

class Sampling {
 public:
  // `table` and `plan` outlive it. In the keeper, after it has let go of what is the program's.
  Sampling(pid_t root, pid_t supervisor, const Plan& plan, RunTable* table, ReportPlace& place);
  Sampling(const Sampling&) = delete;

  // The supervisor has ended. Where it was killed, how the program ends will be seen by nobody: its record, if it has
  // one yet, is kept up until then, and left unless it ended well. Returns when there is nothing left to do.
  void finish(bool supervisor_was_killed);

 private:
  static void* thread(void* self);
  void run();

  pid_t root_, supervisor_;
  const Plan& plan_;
  RunTable* table_;
  ReportPlace& place_;  // for what is said while the program runs
  pthread_t thread_{};
  bool started_ = false;
  std::atomic<bool> alone_ = false;  // the supervisor was killed
};

}  // namespace sigwhy::capture
