// Each factor is p*(outcome) / p0(outcome) for a pair, where p* = (a, b) is an alternative and p0 the point of the
// null hypothesis nearest to it in Kullback-Leibler divergence. The nulls are convex sets of (a, b), so the factor's
// expectation is at most 1 under all of the null: with x and y the relative deviations, (1 + x)(1 + y) where
// x + y <= 0 is at most 1.
#include "experiment/sequential.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sigwhy::experiment {

namespace {

constexpr double most_removed = 0.2;  // "takes the deaths away": at most this share of them remains

struct Point {
  double as_it_was;
  double changed;
};

double log_likelihood(Point truth, Point model) {
  const auto one = [](double p, double q) { return p * std::log(q) + (1 - p) * std::log1p(-q); };
  return one(truth.as_it_was, model.as_it_was) + one(truth.changed, model.changed);
}

// The nearest point with changed = ratio * as_it_was; the likelihood is concave along that line.
Point nearest_on_line(Point truth, double ratio) {
  double low = 1e-9, high = std::min(1.0, 1 / ratio) - 1e-9;
  for (int i = 0; i < 200; ++i) {
    const double left = low + (high - low) / 3, right = high - (high - low) / 3;
    if (log_likelihood(truth, {left, ratio * left}) < log_likelihood(truth, {right, ratio * right})) low = left;
    else high = right;
  }
  return {low, ratio * low};
}

std::array<double, 4> factors_of(Point truth, Point null) {
  std::array<double, 4> factors{};
  for (const bool a : {false, true})
    for (const bool b : {false, true}) {
      const auto of = [](double p, bool died) { return died ? p : 1 - p; };
      factors[static_cast<std::size_t>(a * 2 + b)] =
          of(truth.as_it_was, a) * of(truth.changed, b) / (of(null.as_it_was, a) * of(null.changed, b));
    }
  return factors;
}

}  // namespace

Bet Bet::on_fewer() {
  // The first is the usual case, all die and none does; the others are for deaths that come now and then.
  constexpr std::pair<double, Point> alternatives[] = {
      {0.5, {0.98, 0.02}}, {0.15, {0.9, 0.08}}, {0.1, {0.7, 0.03}}, {0.1, {0.5, 0.02}},
      {0.05, {0.9, 0.4}},  {0.05, {0.25, 0.01}}, {0.05, {0.6, 0.2}}};
  std::vector<Alternative> list;
  for (const auto& [weight, truth] : alternatives)
    list.push_back({weight, factors_of(truth, nearest_on_line(truth, 1))});
  return Bet(std::move(list));
}

std::vector<Bet::Alternative> Bet::against_fraction(double ratio) {
  constexpr std::pair<double, Point> alternatives[] = {
      {0.6, {0.98, 0.98}}, {0.15, {0.8, 0.8}}, {0.1, {0.5, 0.5}}, {0.1, {0.25, 0.25}}, {0.05, {0.9, 0.5}}};
  std::vector<Alternative> list;
  for (const auto& [weight, truth] : alternatives)
    list.push_back({weight, factors_of(truth, nearest_on_line(truth, ratio))});
  return list;
}

// Deaths and survivals change places in both arms, or the arms do.
Bet Bet::mirrored(Bet bet) {
  for (auto& alternative : bet.alternatives_) {
    auto& f = alternative.factors;
    std::swap(f[0], f[3]);
    std::swap(f[1], f[2]);
  }
  return bet;
}

Bet Bet::on_no_fewer() { return Bet(against_fraction(most_removed)); }
Bet Bet::on_no_more() { return mirrored(Bet(against_fraction(most_removed))); }

Bet Bet::on_more() {
  auto bet = on_fewer();
  for (auto& alternative : bet.alternatives_) std::swap(alternative.factors[1], alternative.factors[2]);
  return bet;
}

void Bet::add(Pair pair) {
  for (auto& alternative : alternatives_)
    alternative.capital *= alternative.factors[static_cast<std::size_t>(pair.as_it_was * 2 + pair.changed)];
}

double Bet::capital() const {
  double sum = 0;
  for (const auto& alternative : alternatives_) sum += alternative.weight * alternative.capital;
  return sum;
}

void MissBet::add(bool happened) {
  constexpr double null = 0.8, bet = 0.02;
  capital_ *= happened ? bet / null : (1 - bet) / (1 - null);
}

double needed_capital(std::size_t comparisons) {
  return static_cast<double>(std::max<std::size_t>(comparisons, 1)) / (session_error / 2);
}

}  // namespace sigwhy::experiment
