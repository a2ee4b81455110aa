// Monotonic seconds.
#pragma once
#include <time.h>

namespace sigwhy::capture {

inline double monotonic_s() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) / 1e9;
}

// For texts that are written during a stop: printing a fraction takes code that is not kept ready then.
inline long long microseconds(double seconds) { return static_cast<long long>(seconds * 1e6); }

}  // namespace sigwhy::capture
