// Does a series rise steadily, how fast, and how sure is that? A line fitted through it, with the uncertainty that
// the scatter around the line allows.
#pragma once
#include <optional>
#include <span>

namespace sigwhy {

struct Trend {
  double per_unit = 0;     // slope: bytes a second, bytes a step
  double uncertainty = 0;  // of per_unit: 95 % of such series have their slope within
  double from = 0, to = 0;  // of x, the part of the series that the line describes
  double rise = 0;          // from there to there
  double share_explained = 0;  // of the scatter, by the line; 1: it lies on the line
};

// Over the longest tail of the series that one line describes: a run's start (imports, loading) is no trend.
// Absent: fewer than eight readings, or no steady direction.
std::optional<Trend> trend_of(std::span<const double> x, std::span<const double> y);

}  // namespace sigwhy
