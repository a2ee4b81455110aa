// One run of a recipe in the throw-away layer: the user's files cannot be changed by it, its output stays out of the
// terminal, the network is off unless it was asked for, and nothing of it is left when it is over.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "evidence/case.h"
#include "evidence/recipe.h"
#include "experiment/layer.h"

namespace sigwhy::experiment {

// What is changed against the recipe. Everything empty: the same again.
struct Change {
  std::vector<std::pair<std::string, std::string>> set;  // environment
  std::vector<std::string> unset;
  std::vector<std::string> run_options;   // for `sigwhy run`: "--guard=all"
  std::optional<std::vector<std::string>> argv;  // instead of the recipe's
  std::string start_up;                   // Python code that runs before the program's own (a start-up folder)
  std::vector<std::string> python_path;   // folders in front of everything else: another version of a package
  std::optional<std::uint64_t> memory_bytes;  // limit of its own memory group
  std::vector<std::string> masked_cpu_features;
  // Files that exist only for this run: the argument or variable that is `{file:NAME}` becomes the file's path.
  std::vector<std::pair<std::string, std::string>> files;  // NAME, bytes
};

// What holds a run.
struct Bounds {
  double seconds = 600;            // then it is killed and counts as hung
  std::uint64_t layer_bytes = 8ull << 30;  // what it may write
  bool network = false;
  std::string sigwhy;              // the program `sigwhy`, which runs it and says why it died
  std::string layers_folder;       // where layers may lie: a folder on a disk; empty: below $TMPDIR or /var/tmp
  bool without_layer = false;      // the user was asked and agreed: files are changed for good
};

// What one run showed.
struct Trial {
  Case result;               // of `sigwhy run --json`; a clean exit has one too
  double seconds = 0;
  bool timed_out = false;
  bool interrupted = false;  // the user pressed Ctrl-C; the run counts for nothing
  bool layer_full = false;   // it wrote more than it may and was stopped; the run counts for nothing
  std::optional<int> wait_status;  // of the program; absent: it was stopped
  std::optional<std::uint64_t> peak_bytes;
  std::string output_tail;   // the last of stdout and stderr, for "failed in another way"
  Written wrote;             // into the layer
  std::string read_only;     // places of which no overlay could be had: what fails there would not fail outside
  // What of the change was seen to take effect. Absent: cannot be checked. False: the run says nothing about the
  // change (`python -S`, no Python at all, a limit that could not be set).
  std::optional<bool> took_effect;
  std::string why_no_effect;
};

// It ended by itself with status 0.
bool survived(const Trial& trial);

// An error is one of ours: no layer, no memory group, no such program. What the program does is never an error.
Result<Trial> run_trial(const Recipe& recipe, const Change& change, const Bounds& bounds);

}  // namespace sigwhy::experiment
