// A program that exists in numbers only: it dies with a probability that may depend on what is changed.
#pragma once
#include <signal.h>

#include <cstdint>
#include <functional>

#include "experiment/session.h"

namespace sigwhy::experiment {

// xorshift64*: a simulation must give the same numbers everywhere.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15ull | 1) {}
  bool dies(double p) {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return static_cast<double>((state_ * 0x2545f4914f6cdd1dull) >> 11) * 0x1p-53 < p;
  }

 private:
  std::uint64_t state_;
};

inline Case died_of(int signal, Cause verdict, Strength strength) {
  Case c;
  c.id = "4f1c27a9";
  c.snapshot.termination = {.kind = TerminationKind::signalled, .signal = signal, .signal_name = "SIGSEGV"};
  c.snapshot.process = {.pid = 100, .command = "solver", .argv = {"./solver"}, .thread_count = 4};
  c.diagnosis.verdict = verdict;
  c.diagnosis.findings.push_back({.cause = verdict, .claim = "x", .strength = strength});
  return c;
}

inline Case survived_case() {
  Case c;
  c.snapshot.termination = {.kind = TerminationKind::exited, .exit_code = 0};
  c.diagnosis.verdict = Cause::clean_exit;
  return c;
}

inline bool has_set(const Change& change, const std::string& name) {
  for (const auto& [key, value] : change.set)
    if (key == name) return true;
  return false;
}

// Dies as the case did with the probability that `p` gives for a change.
inline Tools fake_tools(const Case& before, std::uint64_t seed, std::function<double(const Change&)> p) {
  return {.run = [before, p, dice = Dice(seed)](const Change& change) mutable -> Result<Trial> {
            return Trial{.result = dice.dies(p(change)) ? before : survived_case()};
          },
          .seconds = [] { return 0.0; }};
}

}  // namespace sigwhy::experiment
