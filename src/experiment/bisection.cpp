#include "experiment/bisection.h"

#include <algorithm>
#include <cmath>

namespace sigwhy::experiment {

namespace {

// Before any run: one in ten is expected to lie, and little is staked on that.
constexpr double lies = 0.5, honest = 4.5;
// That all die or all survive is more likely than any one boundary between.
constexpr double prior_of_an_end = 0.1;
constexpr double good_enough = 0.98;
constexpr int guesses = 5;
// What a memory limit leaves to chance is a few values wide.
constexpr std::int64_t blurred_width = 4;
constexpr int edge_votes = 3;

double log_beta(double a, double b) { return std::lgamma(a) + std::lgamma(b) - std::lgamma(a + b); }

double log_likelihood(int lied, int total) {
  return log_beta(lied + lies, total - lied + honest) - log_beta(lies, honest);
}

}  // namespace

Bisection::Bisection(std::int64_t count, int votes) : count_(count), votes_(std::max(votes, 1)) {}

void Bisection::saw_survive(std::int64_t place, std::optional<std::uint64_t> peak_bytes) {
  auto& tally = tallies_[place];
  ++tally.survived;
  if (peak_bytes) tally.peak_bytes = std::max(tally.peak_bytes.value_or(0), *peak_bytes);
}

void Bisection::saw_die(std::int64_t place, std::optional<std::uint64_t> limit_bytes) {
  ++tallies_[place].died;
  if (limit_bytes) limit_bytes_ = limit_bytes;
}

// A boundary B: places up to B survive. Between two places that were tried all B are alike.
std::vector<Bisection::Stretch> Bisection::stretches() const {
  int died_above = 0, survived_above = 0;
  for (const auto& [place, tally] : tallies_) {
    died_above += tally.died;
    survived_above += tally.survived;
  }
  int died_below = 0, survived_below = 0;
  std::vector<Stretch> list;
  std::vector<double> logs;
  std::int64_t first = -1;
  const double inner = (1 - 2 * prior_of_an_end) / static_cast<double>(std::max<std::int64_t>(count_ - 1, 1));
  const auto add = [&](std::int64_t last) {
    if (last < first) return;
    const bool end = first == -1 || last == count_ - 1;  // the ends are always stretches of their own once tried
    const double prior = end ? prior_of_an_end : inner * static_cast<double>(last - first + 1);
    const double fit = log_likelihood(died_below, died_below + survived_below) +
                       log_likelihood(survived_above, died_above + survived_above);
    list.push_back({first, last, 0});
    logs.push_back(fit + std::log(prior));
  };
  for (const auto& [place, tally] : tallies_) {
    add(place - 1);
    first = place;
    died_below += tally.died;
    survived_below += tally.survived;
    died_above -= tally.died;
    survived_above -= tally.survived;
  }
  add(count_ - 1);
  const double most = *std::ranges::max_element(logs);
  double sum = 0;
  for (std::size_t i = 0; i < list.size(); ++i) sum += list[i].weight = std::exp(logs[i] - most);
  for (auto& stretch : list) stretch.weight /= sum;
  return list;
}

std::int64_t Bisection::last_surviving() const {
  if (const auto open = still_open()) return open->below;
  if (const auto edge = blurred_edge()) return edge->below;
  double best = -1;
  std::int64_t at = -1;
  for (const auto& stretch : stretches()) {
    const double each = stretch.weight / static_cast<double>(stretch.last - stretch.first + 1);
    if (each <= best) continue;
    best = each;
    at = stretch.first;
  }
  return at;
}

double Bisection::certainty() const {
  const auto at = last_surviving();
  for (const auto& stretch : stretches())
    if (stretch.first <= at && at <= stretch.last)
      return stretch.weight / static_cast<double>(stretch.last - stretch.first + 1);
  return 0;
}

// At either side of the boundary, and wherever a single run went against it.
std::optional<std::int64_t> Bisection::missing_vote() const {
  const auto boundary = last_surviving();
  for (const auto place : {boundary, boundary + 1}) {
    if (place < 0 || place >= count_) continue;
    if (runs_at(place) < votes_) return place;
  }
  for (const auto place : against())
    if (runs_at(place) < std::max(votes_, 3)) return place;
  return std::nullopt;
}

std::optional<PeakLine> Bisection::peaks() const {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (const auto& [place, tally] : tallies_) {
    if (!tally.peak_bytes) continue;
    // Near the limit the kernel drops cached files first: the peak is the limit, not the need.
    if (limit_bytes_ && static_cast<double>(*tally.peak_bytes) > 0.97 * static_cast<double>(*limit_bytes_)) continue;
    const auto px = static_cast<double>(place), py = static_cast<double>(*tally.peak_bytes);
    n += 1, x += px, y += py, xx += px * px, xy += px * py;
  }
  const double spread = n * xx - x * x;
  if (n < 2 || spread <= 0) return std::nullopt;
  const double each = (n * xy - x * y) / spread;
  if (each <= 0) return std::nullopt;
  return PeakLine{(y - each * x) / n, each};
}

// Where the line meets the limit, then ever further from it on the side that is left.
std::optional<std::int64_t> Bisection::guessed_from_memory(Open open) const {
  const auto tried = static_cast<int>(tallies_.size());
  if (!limit_bytes_ || tried > 2 + guesses || open.above - open.below < 8) return std::nullopt;
  const auto line = peaks();
  if (!line) return open.below < 0 ? std::nullopt : std::optional(open.below + (open.above - open.below) / 64 + 1);
  const double meets = (static_cast<double>(*limit_bytes_) - line->base_bytes) / line->each_bytes;
  const auto guess = static_cast<std::int64_t>(std::clamp(meets, -1.0, static_cast<double>(count_)));
  if (guess > open.below && guess < open.above) return guess;
  const auto middle = open.below + (open.above - open.below) / 2;
  const auto step = [&](std::int64_t off) { return std::max({std::int64_t{1}, guess / 256, 3 * off}); };
  if (guess <= open.below) return std::min(open.below + step(open.below - guess), middle);
  return std::max(open.above - step(guess - open.above), middle);
}

// The place whose outcome is most open: as much probability for a boundary below it as for one above.
std::int64_t Bisection::best_halving() const {
  double below = 0;
  for (const auto& stretch : stretches()) {
    if (below + stretch.weight < 0.5) {
      below += stretch.weight;
      continue;
    }
    const auto length = stretch.last - stretch.first + 1;
    const auto part = static_cast<std::int64_t>((0.5 - below) / stretch.weight * static_cast<double>(length) + 0.5);
    // Trying p tells boundaries below p from those at p and above.
    return std::clamp<std::int64_t>(stretch.first + part, 0, count_ - 1);
  }
  return count_ - 1;
}

std::optional<std::int64_t> Bisection::next() const {
  if (!tallies_.contains(0)) return 0;
  if (!tallies_.contains(count_ - 1)) return count_ - 1;
  // Both ends alike: all are, or it turns twice. One look between them tells the most.
  const bool alike = (tallies_.at(0).died > 0) == (tallies_.at(count_ - 1).died > 0);
  if (alike && count_ > 2 && tallies_.size() == 2) return count_ / 2;
  const auto open = still_open();
  if (open && open->above - open->below > 1) {
    if (auto guess = guessed_from_memory(*open)) return guess;
    return open->below + (open->above - open->below) / 2;
  }
  if (const auto edge = blurred_edge()) {
    for (const auto place : {edge->below, edge->above})
      if (runs_at(place) < std::max(votes_, edge_votes)) return place;
    return std::nullopt;
  }
  if (open || certainty() >= good_enough) return missing_vote();
  // Some run lied. Where both sides of the boundary are the best to try, the one of which less is known.
  const auto boundary = last_surviving(), place = best_halving();
  if ((place != boundary && place != boundary + 1) || boundary < 0 || boundary + 1 >= count_) return place;
  return runs_at(boundary) <= runs_at(boundary + 1) ? boundary : boundary + 1;
}

// Absent: the runs contradict each other, only their probabilities help.
std::optional<Bisection::Open> Bisection::still_open() const {
  Open open{-1, count_};
  for (const auto& [place, tally] : tallies_) {
    if (tally.survived) open.below = std::max(open.below, place);
    if (tally.died) open.above = std::min(open.above, place);
  }
  return open.below < open.above ? std::optional(open) : std::nullopt;
}

// Absent: it was not memory, or the places that show both ends do not lie together between the others.
std::optional<Bisection::Open> Bisection::blurred_edge() const {
  const auto blurred = flaky();
  if (!limit_bytes_ || blurred.empty() || blurred.back() - blurred.front() >= blurred_width) return std::nullopt;
  const Open edge{blurred.front() - 1, blurred.back() + 1};
  if (edge.below < 0 || edge.above >= count_) return std::nullopt;
  for (const auto& [place, tally] : tallies_)
    if ((place <= edge.below && tally.died) || (place >= edge.above && tally.survived)) return std::nullopt;
  return edge;
}

int Bisection::runs_at(std::int64_t place) const {
  const auto found = tallies_.find(place);
  return found == tallies_.end() ? 0 : found->second.survived + found->second.died;
}

std::vector<std::int64_t> Bisection::flaky() const {
  std::vector<std::int64_t> list;
  for (const auto& [place, tally] : tallies_)
    if (tally.survived && tally.died) list.push_back(place);
  return list;
}

std::vector<std::int64_t> Bisection::against() const {
  const auto boundary = last_surviving();
  std::vector<std::int64_t> list;
  for (const auto& [place, tally] : tallies_)
    if (place <= boundary ? tally.survived == 0 : tally.died == 0) list.push_back(place);
  return list;
}

int Bisection::runs() const {
  int sum = 0;
  for (const auto& [place, tally] : tallies_) sum += tally.survived + tally.died;
  return sum;
}

}  // namespace sigwhy::experiment
