// The runs of a search: one change after the other in the throw-away layer, counted and bounded together, each ending
// as "survived" or as a death with its cause.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "evidence/search.h"
#include "experiment/trial.h"

namespace sigwhy::experiment {

struct SearchWish {
  Recipe recipe;  // its argv with the names in braces
  Change change;  // what holds for every run: a memory limit, options of `sigwhy run`
  Bounds bounds;
  int votes = 3;      // runs of what the answer rests on
  int most_runs = 0;  // 0: as many as it takes
  double most_seconds = 0;
  std::function<void(const std::string&)> progress;  // called before each run with what is tried
  std::function<Result<Trial>(const Recipe&, const Change&, const Bounds&)> trial = run_trial;
};

struct RunEnd {
  bool died = false;
  SearchDeath death;
  std::optional<std::uint64_t> peak_bytes;
  std::optional<std::uint64_t> limit_bytes;  // it was killed for memory, at this limit
};

class SearchRuns {
 public:
  explicit SearchRuns(const SearchWish& wish);

  // One run, entered into the table under `value`. Nothing: no more runs, the user or a bound ended the search.
  Result<std::optional<RunEnd>> run(const std::string& value, const std::vector<std::string>& argv, Change change);
  Result<std::optional<RunEnd>> run(const std::string& value, const std::vector<std::string>& argv);

  const Tried* tried(const std::string& value) const;
  // The table, the number of runs and why it stopped early go into the answer.
  void conclude(Search& search) const;

 private:
  bool over();
  Tried& row(const std::string& value);

  const SearchWish& wish_;
  double began_s_;
  int runs_ = 0;
  std::vector<Tried> table_;
  std::string stopped_;
  std::string read_only_;
};

// "killed for memory", "killed by SIGSEGV", "exit 1", "hung"; as a verb: "is killed at 300 MiB", "dies of SIGSEGV".
std::string death_verb(const SearchDeath& death, std::optional<std::uint64_t> limit_bytes);

}  // namespace sigwhy::experiment
