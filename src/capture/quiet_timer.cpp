#include "capture/quiet_timer.h"

#include <signal.h>
#include <time.h>

#include <optional>

namespace sigwhy::capture {

namespace {

std::optional<timer_t> timer, look_timer;
bool running = false;
volatile sig_atomic_t ran_out = 0;

void note(int) { ran_out = 1; }

void set(const std::optional<timer_t>& which, double seconds) {
  const auto whole = static_cast<time_t>(seconds);
  const timespec span{whole, static_cast<long>((seconds - static_cast<double>(whole)) * 1e9)};
  const itimerspec every{.it_interval = span, .it_value = span};
  if (which) timer_settime(*which, 0, &every, nullptr);
}

// Without SA_RESTART: it is there to end a wait.
std::optional<timer_t> make() {
  struct sigaction action {};
  action.sa_handler = note;
  sigaction(quiet_signal(), &action, nullptr);
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = quiet_signal();
  timer_t made{};
  return timer_create(CLOCK_MONOTONIC, &event, &made) == 0 ? std::optional(made) : std::nullopt;
}

}  // namespace

int quiet_signal() { return SIGRTMIN + 1; }

void start_quiet_timer() {
  if (running) return;
  if (!timer) timer = make();
  set(timer, quiet_after_s);
  running = true;
}

void stop_quiet_timer() {
  set(timer, 0);
  running = false;
}

void slow_quiet_timer(double seconds) {
  set(timer, seconds);
  running = false;
}

void start_look_timer(double seconds) {
  if (!look_timer) look_timer = make();
  set(look_timer, seconds);
}

bool quiet_time() {
  const bool was = ran_out;
  ran_out = 0;
  return was;
}

}  // namespace sigwhy::capture
