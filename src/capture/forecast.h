// When will the limit be met, if memory goes on growing as it does? Asked while the program runs. Said only where a
// line through the readings describes them well, its slope is far above its own uncertainty, and the limit lies
// within a few times the stretch that was seen: everything else would be a guess.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "capture/run_record.h"
#include "evidence/timeline.h"

namespace sigwhy::capture {

struct Forecast {
  double limit_bytes = 0;
  double bytes_a_second = 0;
  double uncertainty = 0;  // of that
  double left_s = 0;
  std::optional<std::string> step_name;
  std::optional<std::int64_t> step;  // where that is
};

// Against the group's limit, or against what the machine has left where no group sets one. Absent: no such trend.
std::optional<Forecast> forecast_of(const RunRecord& record, const Timeline& timeline);

// "at this rate 8 GiB is reached in 12 min, near step 31,000; now at train.py:88"
std::string words_of(const Forecast& forecast, const Timeline& timeline);

// Not the same thing again and again: again only when it is twice as certain as when it was said last.
class ForecastLine {
 public:
  std::optional<std::string> next(const RunRecord& record);

 private:
  double said_at_uncertainty_ = 0;  // relative; 0: nothing was said yet
  int said_ = 0;
};

}  // namespace sigwhy::capture
