#include "capture/quiet_timer.h"

#include <signal.h>
#include <time.h>

#include <optional>

namespace sigwhy::capture {

namespace {

std::optional<timer_t> timer;
bool running = false;
volatile sig_atomic_t ran_out = 0;

void note(int) { ran_out = 1; }

void set(long nanoseconds) {
  const itimerspec every{.it_interval = {0, nanoseconds}, .it_value = {0, nanoseconds}};
  if (timer) timer_settime(*timer, 0, &every, nullptr);
  running = nanoseconds != 0;
}

// Without SA_RESTART: it is there to end a wait.
void make() {
  struct sigaction action {};
  action.sa_handler = note;
  sigaction(quiet_signal(), &action, nullptr);
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = quiet_signal();
  timer_t made{};
  if (timer_create(CLOCK_MONOTONIC, &event, &made) == 0) timer = made;
}

}  // namespace

int quiet_signal() { return SIGRTMIN + 1; }

void start_quiet_timer() {
  if (running) return;
  if (!timer) make();
  set(static_cast<long>(quiet_after_s * 1e9));
}

void stop_quiet_timer() {
  if (running) set(0);
}

bool quiet_time() {
  const bool was = ran_out;
  ran_out = 0;
  return was;
}

}  // namespace sigwhy::capture
