// Which lines of a file kill the program: delta debugging. Parts of the lines are given to it in ever smaller pieces;
// what still dies is kept. One line is found in about 2 log2 n runs; where it takes several together, a set of which
// none can be left out.
#pragma once
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace sigwhy::experiment {

using Lines = std::vector<std::size_t>;  // numbers from 0, ascending

struct Culprits {
  Lines lines;
  bool smallest = false;  // each of them is needed; else the runs were over before that was known
};

// `dies`: a run with these lines; nothing: stop here. All lines together must die.
Culprits find_culprits(std::size_t count, const std::function<std::optional<bool>(const Lines&)>& dies);

}  // namespace sigwhy::experiment
