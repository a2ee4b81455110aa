// Monotonic seconds.
#pragma once
#include <time.h>

namespace sigwhy::capture {

inline double monotonic_s() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) / 1e9;
}

}  // namespace sigwhy::capture
