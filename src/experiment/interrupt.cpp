#include "experiment/interrupt.h"

#include <signal.h>

#include <array>

namespace sigwhy::experiment {

namespace {

constexpr std::array signals = {SIGINT, SIGTERM, SIGHUP};
volatile sig_atomic_t noted = 0;
int holders = 0;
std::array<struct sigaction, signals.size()> before;

void note(int) { noted = 1; }

}  // namespace

InterruptNoted::InterruptNoted() {
  if (holders++ > 0) return;
  struct sigaction action {};
  action.sa_handler = note;  // without SA_RESTART: whoever waits is woken
  for (std::size_t i = 0; i < signals.size(); ++i) ::sigaction(signals[i], &action, &before[i]);
}

InterruptNoted::~InterruptNoted() {
  if (--holders > 0) return;
  for (std::size_t i = 0; i < signals.size(); ++i) ::sigaction(signals[i], &before[i], nullptr);
}

bool interrupted() { return noted != 0; }

}  // namespace sigwhy::experiment
