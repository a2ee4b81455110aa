// Ctrl-C during an experiment ends the run at hand, cleans up, and lets the caller say what is known so far.
#pragma once

namespace sigwhy::experiment {

// From now until its end SIGINT, SIGTERM and SIGHUP are noted instead of ending this process.
class InterruptNoted {
 public:
  InterruptNoted();
  ~InterruptNoted();
  InterruptNoted(const InterruptNoted&) = delete;
  InterruptNoted& operator=(const InterruptNoted&) = delete;
};

bool interrupted();

}  // namespace sigwhy::experiment
