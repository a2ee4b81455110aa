// The planner against programs that are only imagined.
#include "experiment/bisection.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace sigwhy::experiment {
namespace {

// Survives up to `boundary`; lies with these probabilities on its two sides.
struct Imagined {
  std::int64_t boundary;
  double dies_below = 0, survives_above = 0;
};

int search(Bisection& plan, const Imagined& program, std::mt19937& random, int most = 400) {
  std::uniform_real_distribution<double> part(0, 1);
  int runs = 0;
  for (; runs < most; ++runs) {
    const auto place = plan.next();
    if (!place) break;
    const bool below = *place <= program.boundary;
    const bool survives = below ? part(random) >= program.dies_below : part(random) < program.survives_above;
    survives ? plan.saw_survive(*place) : plan.saw_die(*place);
  }
  return runs;
}

TEST(Bisection, FindsEveryBoundaryInFewRuns) {
  std::mt19937 random(1);
  for (const std::int64_t count : {1, 2, 3, 17, 4096}) {
    for (std::int64_t boundary = -1; boundary < count; boundary += count > 100 ? 37 : 1) {
      Bisection plan(count, 3);
      const int runs = search(plan, {boundary}, random);
      EXPECT_EQ(plan.last_surviving(), boundary) << count;
      EXPECT_LE(runs, std::log2(static_cast<double>(count)) + 8) << count << " " << boundary;
      EXPECT_TRUE(plan.flaky().empty());
      EXPECT_TRUE(plan.against().empty());
    }
  }
}

TEST(Bisection, AHugeRangeIsNoTrouble) {
  std::mt19937 random(1);
  Bisection plan(1'000'000'000'000, 3);
  const int runs = search(plan, {123'456'789'012}, random);
  EXPECT_EQ(plan.last_surviving(), 123'456'789'012);
  EXPECT_LE(runs, 52);
}

TEST(Bisection, AFlakyCrashIsFoundRight) {
  std::mt19937 random(7);
  int right = 0, runs = 0;
  constexpr int sessions = 300;
  for (int i = 0; i < sessions; ++i) {
    Bisection plan(1024, 3);
    runs += search(plan, {i * 3, 0, 0.1}, random);
    right += plan.last_surviving() == i * 3;
  }
  EXPECT_GE(right, sessions * 95 / 100);
  EXPECT_LE(runs / sessions, 30);
}

TEST(Bisection, LiesOnBothSidesAreOutvoted) {
  std::mt19937 random(11);
  int right = 0;
  constexpr int sessions = 300;
  for (int i = 0; i < sessions; ++i) {
    Bisection plan(1024, 3);
    search(plan, {i * 3, 0.1, 0.1}, random);
    right += plan.last_surviving() == i * 3;
  }
  EXPECT_GE(right, sessions * 90 / 100);
}

TEST(Bisection, AnOutcomeThatTurnsTwiceIsNoticed) {
  Bisection plan(64, 3);
  // 40 and above die, and 0 to 3 too.
  while (const auto place = plan.next())
    *place >= 40 || *place <= 3 ? plan.saw_die(*place) : plan.saw_survive(*place);
  EXPECT_TRUE(plan.last_surviving() == -1 || !plan.against().empty());
}

// What memory tells: peak = 500 MB + 20 MB each, limit 8 GB.
int search_memory(Bisection& plan, bool tells) {
  constexpr std::uint64_t limit = 8'000'000'000, base = 500'000'000, each = 20'000'000;
  int runs = 0;
  while (const auto place = plan.next()) {
    ++runs;
    const std::uint64_t need = base + each * static_cast<std::uint64_t>(*place);
    if (need <= limit) plan.saw_survive(*place, tells ? std::optional(need) : std::nullopt);
    else plan.saw_die(*place, tells ? std::optional(limit) : std::nullopt);
  }
  return runs;
}

TEST(Bisection, MeasuredPeaksSaveRuns) {
  Bisection with(65536, 3), without(65536, 3);
  const int few = search_memory(with, true), many = search_memory(without, false);
  EXPECT_EQ(with.last_surviving(), 375);
  EXPECT_EQ(without.last_surviving(), 375);
  EXPECT_LE(few, 10);
  EXPECT_GE(many, 17);
  ASSERT_TRUE(with.peaks());
  EXPECT_NEAR(with.peaks()->each_bytes, 20e6, 1e3);
}

// The peaks of small values say nothing about large ones: it must still arrive.
// The kernel charges memory in batches: one or two values at the edge die now and then.
TEST(Bisection, AMemoryLimitIsBlurredAtItsEdge) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> part(0, 1);
  for (std::int64_t boundary = 20; boundary < 1900; boundary += 97) {
    Bisection plan(2000, 2);
    int runs = 0;
    for (; runs < 100; ++runs) {
      const auto place = plan.next();
      if (!place) break;
      const bool blurred = *place > boundary && *place <= boundary + 2;
      const bool survives = *place <= boundary || (blurred && part(random) < 0.5);
      survives ? plan.saw_survive(*place, (10 + *place) << 20) : plan.saw_die(*place, (11 + boundary) << 20);
    }
    EXPECT_GE(plan.last_surviving(), boundary);
    EXPECT_LE(plan.last_surviving(), boundary + 2);
    EXPECT_LE(runs, 30) << boundary;
  }
}

TEST(Bisection, PeaksThatMisleadCostLittle) {
  Bisection plan(65536, 3);
  int runs = 0;
  while (const auto place = plan.next()) {
    ++runs;
    const double x = static_cast<double>(*place), need = 500e6 + x * x * 1e3;
    if (need <= 8e9) plan.saw_survive(*place, static_cast<std::uint64_t>(need));
    else plan.saw_die(*place, 8'000'000'000);
  }
  EXPECT_EQ(plan.last_surviving(), 2738);
  EXPECT_LE(runs, 30);
}

}  // namespace
}  // namespace sigwhy::experiment
