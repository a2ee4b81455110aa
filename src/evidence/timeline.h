// Memory over time. About ten readings a second at first; when the table is full every second one is dropped and
// the distance doubles, so that a long run takes the same room as a short one. Columns, not rows: a reading of each
// column belongs to the same index of `at_s`.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sigwhy {

struct ProcessMemory {
  std::int64_t pid = 0;
  std::string command;
  std::uint64_t first = 0;  // index into Timeline.at_s of its first reading
  std::vector<std::uint64_t> anonymous_bytes;
  std::vector<std::uint64_t> file_bytes;
  std::vector<std::uint64_t> shared_bytes;
  std::vector<std::uint64_t> swap_bytes;
};

// A local integer of the user's own code that rises as the program goes on: the step, the batch, the epoch.
struct StepCounter {
  std::string name;  // `step`
  std::string file;
  std::string function;
  std::vector<double> at_s;
  std::vector<std::int64_t> value;
};

// Where the main thread stood when it was last looked at.
struct LastLine {
  std::string file;
  std::string function;
  int line = 0;
  double at_s = 0;
};

struct Timeline {
  double every_s = 0;  // between readings, after thinning
  std::vector<double> at_s;  // since the start
  std::optional<std::string> group;  // whose use this is: the nearest control group with a limit, else the nearest
  std::vector<std::uint64_t> group_used_bytes;  // empty: not known
  std::optional<std::uint64_t> limit_bytes;  // the bound that comes first, whoever sets it
  std::vector<ProcessMemory> processes;
  std::vector<StepCounter> steps;
  std::optional<LastLine> last_line;
};

}  // namespace sigwhy
