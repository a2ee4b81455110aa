// Telling two ways of running a program apart by how often it dies, looking after every run.
//
// Whoever stops at "p < 0.05" after each pair separates two identical arms every tenth time, and nearly always over a
// dozen variations. Here the evidence is an e-process: a bet against "no difference" whose capital is expected not to
// grow while that is true. By Ville's inequality it ever reaches 1/a with probability at most a, however one stops,
// and even if one looked ahead. Hence one budget for a whole session: it is divided by the number of comparisons that
// were planned (Bonferroni), and sharing the runs "as it was" between comparisons costs nothing, since the union
// bound does not ask for independence. docs/decisions/0010-experiments.md has the mathematics and the measured power.
#pragma once
#include <array>
#include <cstddef>
#include <vector>

namespace sigwhy::experiment {

constexpr double session_error = 0.02;  // a wrong "confirmed" or "refuted" anywhere in a session, at most

// Pair i is run i of one arm and run i of the other; true: it died.
struct Pair {
  bool as_it_was = false;
  bool changed = false;
};

// A bet against "with the change it dies at least `ratio` times as often" (fewer) or "at most `ratio` times as often"
// (no_fewer). The capital is the mean over bets on several alternatives.
class Bet {
 public:
  // Against: changed >= as it was. Wins if the change takes deaths away.
  static Bet on_fewer();
  // Against: changed <= as it was. Wins if the change adds deaths.
  static Bet on_more();
  // Against: changed <= a fifth of as it was. Wins if the change does not take most deaths away.
  static Bet on_no_fewer();
  // Against: four fifths of those that survive as it was die with the change. Wins if the change does not add deaths.
  static Bet on_no_more();

  void add(Pair pair);
  double capital() const;

 private:
  struct Alternative {
    double weight;
    std::array<double, 4> factors;  // by as_it_was * 2 + changed
    double capital = 1;
  };
  explicit Bet(std::vector<Alternative> alternatives) : alternatives_(std::move(alternatives)) {}
  static std::vector<Alternative> against_fraction(double ratio);
  static Bet mirrored(Bet bet);
  std::vector<Alternative> alternatives_;
};

// A bet against "it happens in at least four fifths of the runs".
class MissBet {
 public:
  void add(bool happened);
  double capital() const { return capital_; }

 private:
  double capital_ = 1;
};

// What a bet must reach where `comparisons` share the session's budget: half of it is for "confirmed", half for
// "refuted".
double needed_capital(std::size_t comparisons);

}  // namespace sigwhy::experiment
