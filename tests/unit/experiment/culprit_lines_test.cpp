#include "experiment/culprit_lines.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace sigwhy::experiment {
namespace {

bool has(const Lines& lines, std::size_t line) { return std::ranges::find(lines, line) != lines.end(); }

TEST(CulpritLines, OneLineIsFoundInFewRuns) {
  for (const std::size_t bad : {0u, 1u, 500u, 999u}) {
    int runs = 0;
    const auto found = find_culprits(1000, [&](const Lines& lines) { return ++runs, std::optional(has(lines, bad)); });
    EXPECT_EQ(found.lines, Lines{bad});
    EXPECT_TRUE(found.smallest);
    EXPECT_LE(runs, 20);
  }
}

TEST(CulpritLines, TwoLinesTogether) {
  const auto found =
      find_culprits(200, [](const Lines& lines) { return std::optional(has(lines, 17) && has(lines, 150)); });
  EXPECT_EQ(found.lines, (Lines{17, 150}));
  EXPECT_TRUE(found.smallest);
}

TEST(CulpritLines, TooManyLinesWhicheverTheyAre) {
  const auto found = find_culprits(64, [](const Lines& lines) { return std::optional(lines.size() >= 10); });
  EXPECT_EQ(found.lines.size(), 10u);
}

TEST(CulpritLines, StopsWhenToldTo) {
  int left = 3;
  const auto found = find_culprits(1000, [&](const Lines& lines) {
    return left-- > 0 ? std::optional(has(lines, 3)) : std::nullopt;
  });
  EXPECT_FALSE(found.smallest);
  EXPECT_TRUE(has(found.lines, 3));
  EXPECT_LT(found.lines.size(), 1000u);
}

TEST(CulpritLines, ASingleLineNeedsNoRun) {
  const auto found = find_culprits(1, [](const Lines&) -> std::optional<bool> { return std::nullopt; });
  EXPECT_EQ(found.lines, Lines{0});
  EXPECT_TRUE(found.smallest);
}

}  // namespace
}  // namespace sigwhy::experiment
