#include "evidence/trend.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace sigwhy {
namespace {

struct Series {
  std::vector<double> x, y;
};

template <class F> Series series(std::size_t size, F value) {
  Series s;
  for (std::size_t i = 0; i < size; ++i) {
    s.x.push_back(static_cast<double>(i) / 10);
    s.y.push_back(value(i));
  }
  return s;
}

double ripple(std::size_t i) { return std::sin(static_cast<double>(i) * 1.7) * 20; }

TEST(Trend, SteadyGrowthWithRipples) {
  const auto s = series(400, [](std::size_t i) { return 1000 + 3.0 * static_cast<double>(i) + ripple(i); });
  const auto trend = trend_of(s.x, s.y);
  ASSERT_TRUE(trend);
  EXPECT_NEAR(trend->per_unit, 30, trend->uncertainty + 0.1);
  EXPECT_LT(trend->uncertainty, 2);
  EXPECT_NEAR(trend->rise, 1197, 30);
}

TEST(Trend, LoadingBeforeItIsLeftOut) {
  const auto s = series(400, [](std::size_t i) { return i < 90 ? 50.0 * static_cast<double>(i) : 4500 + static_cast<double>(i) + ripple(i) / 5; });
  const auto trend = trend_of(s.x, s.y);
  ASSERT_TRUE(trend);
  EXPECT_NEAR(trend->per_unit, 10, 1);
  EXPECT_GE(trend->from, 9);
}

TEST(Trend, FlatIsNone) {
  const auto s = series(400, [](std::size_t i) { return 1000 + ripple(i); });
  EXPECT_FALSE(trend_of(s.x, s.y));
}

TEST(Trend, OneJumpIsNone) {
  const auto s = series(400, [](std::size_t i) { return i < 396 ? 1000.0 : 9000.0; });
  EXPECT_FALSE(trend_of(s.x, s.y));
}

TEST(Trend, TooShortIsNone) {
  const auto s = series(7, [](std::size_t i) { return static_cast<double>(i); });
  EXPECT_FALSE(trend_of(s.x, s.y));
}

}  // namespace
}  // namespace sigwhy
