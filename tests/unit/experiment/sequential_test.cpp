// The promise of a session: identical arms are called different, or different ones identical, in at most one of fifty
// sessions, however often one looks. Simulated, since that is what is promised; and how many runs it takes.
#include "experiment/sequential.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>

#include "fake_program.h"

namespace sigwhy::experiment {

namespace {

constexpr std::size_t variations = 14;
constexpr std::size_t most_runs = 30;

using MakeBet = Bet (*)();

// Whether any of the comparisons of a session is ever won, looking after each run; the first arm is shared.
bool session_is_won(const Bet& fresh, double as_it_was, double changed, Dice& dice) {
  std::array<bool, most_runs> first{};
  for (auto& died : first) died = dice.dies(as_it_was);
  const double needed = needed_capital(variations);
  for (std::size_t v = 0; v < variations; ++v) {
    Bet bet = fresh;
    for (std::size_t i = 0; i < most_runs; ++i) {
      bet.add({first[i], dice.dies(changed)});
      if (bet.capital() >= needed) return true;
    }
  }
  return false;
}

double won_share(MakeBet make, double as_it_was, double changed, int sessions, std::uint64_t seed) {
  Dice dice(seed);
  const Bet fresh = make();
  int won = 0;
  for (int i = 0; i < sessions; ++i) won += session_is_won(fresh, as_it_was, changed, dice);
  return static_cast<double>(won) / sessions;
}

// Runs an arm until the bet is won; most_runs + 1 where it is not.
std::size_t runs_until_won(MakeBet make, double as_it_was, double changed, Dice& dice, std::size_t most) {
  Bet bet = make();
  for (std::size_t n = 1; n <= most; ++n) {
    bet.add({dice.dies(as_it_was), dice.dies(changed)});
    if (bet.capital() >= needed_capital(variations)) return n;
  }
  return most + 1;
}

}  // namespace

TEST(Sequential, WholeSessionsOfIdenticalArmsAreSeldomSeparated) {
  double worst = 0;
  int sessions = 0;
  for (const double p : {0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 1.0}) {
    constexpr int each = 3000;
    const double share = won_share(Bet::on_fewer, p, p, each, 1);
    sessions += each;
    worst = std::max(worst, share);
    EXPECT_LE(share, session_error / 2) << "with identical arms that die with probability " << p;
  }
  std::printf("identical arms, %d sessions of %zu variations: separated in %.2f %% at the worst\n", sessions, variations,
              worst * 100);
}

TEST(Sequential, AChangeThatTakesFourFifthsAwayIsSeldomCalledUseless) {
  for (const double p : {0.1, 0.5, 0.9, 1.0})
    EXPECT_LE(won_share(Bet::on_no_fewer, p, 0.2 * p, 500, 2), session_error / 2) << p;
}

TEST(Sequential, AChangeThatAddsFourFifthsIsSeldomCalledUseless) {
  for (const double p : {0.0, 0.5, 0.9})
    EXPECT_LE(won_share(Bet::on_no_more, p, p + 0.8 * (1 - p), 500, 3), session_error / 2) << p;
}

TEST(Sequential, WhatIsCertainTakesAboutSevenRuns) {
  Dice dice(4);
  EXPECT_LE(runs_until_won(Bet::on_fewer, 1, 0, dice, 30), 7u);
  EXPECT_LE(runs_until_won(Bet::on_more, 0, 1, dice, 30), 7u);
  EXPECT_LE(runs_until_won(Bet::on_no_fewer, 1, 1, dice, 30), 7u);
  EXPECT_LE(runs_until_won(Bet::on_no_more, 0, 0, dice, 30), 7u);
}

TEST(Sequential, NineOfTenAgainstNoneOfTenIsEnough) {
  Bet bet = Bet::on_fewer();
  for (int i = 0; i < 10; ++i) bet.add({i != 4, false});
  EXPECT_GE(bet.capital(), needed_capital(variations));
}

TEST(Sequential, PowerIsPrinted) {
  for (const auto& [a, b] : {std::pair(1.0, 0.0), {0.9, 0.0}, {0.7, 0.0}, {0.5, 0.0}, {0.9, 0.3}}) {
    Dice dice(5);
    std::size_t sum = 0, separated = 0;
    for (int i = 0; i < 200; ++i) {
      const auto n = runs_until_won(Bet::on_fewer, a, b, dice, 40);
      separated += n <= 40;
      sum += n;
    }
    std::printf("%.1f against %.1f: separated within 40 runs in %zu %%, after %.1f runs\n", a, b, separated / 2,
                static_cast<double>(sum) / 200);
    EXPECT_TRUE(b > 0 || separated >= 190u);
  }
}

TEST(Sequential, WhatNeverHappensIsMissedSoon) {
  MissBet bet;
  for (int i = 0; i < 5; ++i) bet.add(false);
  EXPECT_GE(bet.capital(), needed_capital(variations));
  MissBet seldom;
  for (int i = 0; i < 5; ++i) seldom.add(i % 2 == 0);
  EXPECT_LT(seldom.capital(), 1);
}

}  // namespace sigwhy::experiment
