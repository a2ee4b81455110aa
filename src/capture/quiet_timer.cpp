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

void set(double seconds) {
  const auto whole = static_cast<time_t>(seconds);
  const timespec span{whole, static_cast<long>((seconds - static_cast<double>(whole)) * 1e9)};
  const itimerspec every{.it_interval = span, .it_value = span};
  if (timer) timer_settime(*timer, 0, &every, nullptr);
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
  set(quiet_after_s);
  running = true;
}

void stop_quiet_timer() {
  set(0);
  running = false;
}

void slow_quiet_timer(double seconds) {
  set(seconds);
  running = false;
}

bool quiet_time() {
  const bool was = ran_out;
  ran_out = 0;
  return was;
}

}  // namespace sigwhy::capture
