#include "capture/glances.h"

#include <unistd.h>

#include "capture/clock.h"

namespace sigwhy::capture {

namespace {

constexpr double stopped_for_s = 0.2;  // a process that was let go has given back its memory by then
constexpr double longest_wait_s = 0.05;

}  // namespace

void Glances::stop() {
  const double now = monotonic_s();
  stopped_until_s_.store(now + stopped_for_s);
  while (under_way_.load() && monotonic_s() < now + longest_wait_s) usleep(100);
}

// Said before it is asked, and the supervisor asks after it has said: one of the two sees the other.
bool Glances::begin() {
  under_way_.store(true);
  if (!stopped()) return true;
  end();
  return false;
}

bool Glances::stopped() const { return monotonic_s() < stopped_until_s_.load(); }

}  // namespace sigwhy::capture
