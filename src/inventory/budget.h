// Seconds of our own processor time since it was made: a busy machine must not make the answer poorer.
#pragma once
#include <time.h>

namespace sigwhy::inventory {

class Budget {
 public:
  explicit Budget(double seconds) : until_s_(used_s() + seconds) {}
  bool spent() const { return used_s() > until_s_; }

 private:
  static double used_s() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  }

  double until_s_;
};

}  // namespace sigwhy::inventory
