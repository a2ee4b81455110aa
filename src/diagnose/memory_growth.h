// How memory rose until it ran out, by the readings of the run alone. Three shapes matter: a climb (steady to the end,
// so that a line describes it), a jump (most of it came within the last readings), and neither. Readings at the very
// limit are left out: there the kernel takes pages back as fast as the program fills new ones, and the curve is its.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "diagnose/facts.h"
#include "evidence/trend.h"

namespace sigwhy::diagnose {

// Against a counter of the program's own.
struct StepGrowth {
  Trend trend;        // bytes a step
  std::string name;   // of the counter
  std::uint64_t steps = 0;  // that the line covers
  double first_s = 0;       // when the counter was first seen
  std::string path;   // into the snapshot
};

struct Climb {
  Trend trend;  // bytes a second
  bool on_a_line = true;  // else it only never fell: the work went faster at times
  std::uint64_t rise_bytes = 0;
  bool slows_down = false;  // the last third rises at less than half the speed of the first
  std::uint64_t fell_bytes = 0;  // the most that was given back at a time before the climb
  std::optional<StepGrowth> step;
};

struct MemoryCurve {
  bool of_group = false;      // else of the process that ended
  std::string path;           // of the readings, into the snapshot
  std::uint64_t first_bytes = 0, last_bytes = 0, peak_bytes = 0;
  double lasted_s = 0;
  std::optional<Climb> climb;
  std::optional<Climb> short_climb;  // within a few readings: only what was held can tell whether it is one
  std::optional<std::uint64_t> jump_bytes;  // within the last readings, and most of what there was
};

// It rises as the program counts its steps, or steadily for most of the run: work that is done again and again. Else it
// may be a single piece of work that takes its time.
bool goes_on(const MemoryCurve& curve);

// Of the process itself where it was read, else of its control group. Absent: no readings.
std::optional<MemoryCurve> memory_curve(const Facts& facts);

// The bound that memory met first, and how to name it: "this control group's 8.0 GiB".
struct MemoryBound {
  std::uint64_t bytes = 0;
  std::string words;
  std::string path;
};
std::optional<MemoryBound> memory_bound(const Facts& facts);

std::string time_text(double seconds);  // "0.4 s", "12 s", "41 min", "3.2 h"
// "3.0 MiB a step (within 0.1 MiB) over 2,412 steps of `step`", "180 MiB a minute (within 4.0 MiB) for 41 min"
std::string speed_text(const Climb& climb);

}  // namespace sigwhy::diagnose
