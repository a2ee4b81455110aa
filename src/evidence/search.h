// What a search by re-runs found: `sigwhy bisect` over the values of a parameter or the lines of a file, and
// `sigwhy confirm --sizes --threads` over combinations.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "evidence/finding.h"

namespace sigwhy {

// How a run died.
struct SearchDeath {
  std::string how;  // "killed by SIGSEGV", "exit 1"
  Cause cause = Cause::unknown;
  std::optional<Strength> strength;  // of the verdict; absent: none
  std::string claim;
};

struct Tried {
  std::string value;
  std::uint64_t runs = 0;
  std::uint64_t died = 0;
  std::optional<std::uint64_t> peak_bytes;  // of its surviving runs
  std::optional<SearchDeath> death;         // of its last run that died
};

struct Search {
  std::string over;  // the name of what was varied
  std::string said;  // the answer in one sentence
  bool answered = false;  // false: the runs were over first, or they contradict each other
  std::optional<std::string> survives;  // the last value that survives
  std::optional<std::string> dies;      // the one next to it
  std::optional<SearchDeath> death;     // of that one
  std::optional<std::uint64_t> limit_bytes;      // of memory, where that is what kills
  std::optional<std::uint64_t> bytes_per_value;  // by which the peak rises from one value to the next
  std::vector<std::uint64_t> lines;  // the file's lines that kill it, from 1
  std::vector<std::string> notes;    // what a reader must know: flaky, not in order, stopped early
  std::vector<Tried> tried;
  std::uint64_t runs = 0;
  double seconds = 0;
  bool in_layer = true;  // no file was changed
};

std::string to_json(const Search& search);

}  // namespace sigwhy
