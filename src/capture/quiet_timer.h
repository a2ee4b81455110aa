// Wakes the supervisor from its wait a moment after something began, so that what is only got ready for later is
// done for processes that live longer than that moment, and never while one starts. It goes on until it is stopped: a
// wake-up that comes just before the wait is made good by the next.
#pragma once

namespace sigwhy::capture {

inline constexpr double quiet_after_s = 0.02;

int quiet_signal();
void start_quiet_timer();
void stop_quiet_timer();
// Instead of stopping it: seldom, until it is started again.
void slow_quiet_timer(double seconds);
// Besides: wakes the supervisor every so often, for as long as it lives.
void start_look_timer(double seconds);
// It has run out since this was last asked.
bool quiet_time();

}  // namespace sigwhy::capture
