#include "evidence/trend.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace sigwhy {

namespace {

constexpr std::size_t fewest = 8;
constexpr std::size_t blocks = 8;
constexpr double quantile = 2.45;  // Student's, 95 %, for eight points and a line
constexpr double least_explained = 0.9;
constexpr std::size_t tails = 8;  // starts that are tried: 0, 1/8, ... of the series

struct Point {
  double x = 0, y = 0;
};

// Neighbouring readings resemble each other, so each counts for less than one: means of a few long stretches do not.
std::array<Point, blocks> means_of(std::span<const double> x, std::span<const double> y) {
  std::array<Point, blocks> means{};
  for (std::size_t b = 0; b < blocks; ++b) {
    const std::size_t from = b * x.size() / blocks, to = (b + 1) * x.size() / blocks;
    for (std::size_t i = from; i < to; ++i) {
      means[b].x += x[i] / static_cast<double>(to - from);
      means[b].y += y[i] / static_cast<double>(to - from);
    }
  }
  return means;
}

std::optional<Trend> line_through(std::span<const double> x, std::span<const double> y) {
  const auto points = means_of(x, y);
  Point middle;
  for (const Point& p : points) {
    middle.x += p.x / blocks;
    middle.y += p.y / blocks;
  }
  double xx = 0, xy = 0, yy = 0;
  for (const Point& p : points) {
    xx += (p.x - middle.x) * (p.x - middle.x);
    xy += (p.x - middle.x) * (p.y - middle.y);
    yy += (p.y - middle.y) * (p.y - middle.y);
  }
  if (xx <= 0 || yy <= 0) return std::nullopt;
  const double slope = xy / xx;
  const double scatter = std::max(0.0, yy - slope * xy);
  return Trend{.per_unit = slope,
               .uncertainty = quantile * std::sqrt(scatter / (blocks - 2) / xx),
               .from = x.front(),
               .to = x.back(),
               .rise = slope * (x.back() - x.front()),
               .share_explained = 1 - scatter / yy};
}

}  // namespace

std::optional<Trend> trend_of(std::span<const double> x, std::span<const double> y) {
  const std::size_t size = std::min(x.size(), y.size());
  for (std::size_t tail = 0; tail < tails; ++tail) {
    const std::size_t from = size * tail / tails;
    if (size - from < fewest) break;
    const auto trend = line_through(x.subspan(from, size - from), y.subspan(from, size - from));
    if (trend && trend->share_explained >= least_explained && std::abs(trend->per_unit) > 2 * trend->uncertainty)
      return trend;
  }
  return std::nullopt;
}

}  // namespace sigwhy
