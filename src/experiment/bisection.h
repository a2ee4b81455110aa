// Which value to try next, and what the runs so far say. Pure: no process, no clock.
//
// Values are numbered from the harmless end: up to a boundary the program survives, beyond it dies. A run may lie: a
// crash that happens nine times in ten survives once. So the boundary has a probability at each place, from all runs
// together (a beta-binomial likelihood on either side: the error rates are learned, not given), and once two runs
// contradict each other the next one is made where it halves the probability. Until then it is plain bisection, with
// votes at both sides of the boundary.
//
// Where it is memory that kills, surviving runs tell their peak. A line through them meets the limit somewhere, and
// that is tried first. There the outcome is uncertain only at the edge (the kernel charges in batches, and drops cached
// files or not): values that show both ends, with one that always survives below and one that always dies above, are
// an answer, and no reason to go on.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace sigwhy::experiment {

struct Tally {
  int survived = 0;
  int died = 0;
  std::optional<std::uint64_t> peak_bytes;  // the largest of its surviving runs
};

// bytes(place) = base + place * each
struct PeakLine {
  double base_bytes = 0;
  double each_bytes = 0;
};

class Bisection {
 public:
  // Places 0 to count - 1. `votes`: runs at either side of the boundary before it is believed.
  Bisection(std::int64_t count, int votes);

  // Where to run next; absent: the answer is good enough.
  std::optional<std::int64_t> next() const;

  void saw_survive(std::int64_t place, std::optional<std::uint64_t> peak_bytes = {});
  // `limit_bytes`: it was killed for memory, at this limit.
  void saw_die(std::int64_t place, std::optional<std::uint64_t> limit_bytes = {});

  // The last place that survives, -1: even the first dies; with how much of the probability.
  std::int64_t last_surviving() const;
  double certainty() const;

  // Places that show both ends.
  std::vector<std::int64_t> flaky() const;
  // Places whose runs all went against the boundary: the outcome does not simply turn once.
  std::vector<std::int64_t> against() const;

  std::optional<PeakLine> peaks() const;
  std::optional<std::uint64_t> limit_bytes() const { return limit_bytes_; }
  const std::map<std::int64_t, Tally>& tallies() const { return tallies_; }
  int runs() const;

 private:
  struct Stretch {
    std::int64_t first, last;  // boundaries that all runs so far treat alike
    double weight;             // of all of them together
  };
  std::vector<Stretch> stretches() const;
  struct Open {
    std::int64_t below, above;  // survived, died
  };
  std::optional<Open> still_open() const;
  std::optional<Open> blurred_edge() const;
  std::optional<std::int64_t> missing_vote() const;
  std::optional<std::int64_t> guessed_from_memory(Open open) const;
  int runs_at(std::int64_t place) const;
  std::int64_t best_halving() const;

  std::int64_t count_;
  int votes_;
  std::map<std::int64_t, Tally> tallies_;
  std::optional<std::uint64_t> limit_bytes_;
};

}  // namespace sigwhy::experiment
