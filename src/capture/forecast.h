// When will the limit be met, if memory goes on growing as it does? Asked while the program runs. Said only where a
// line through the readings describes them well, its slope is far above its own uncertainty, and the limit lies
// within a few times the stretch that was seen: everything else would be a guess.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "capture/run_record.h"
#include "evidence/timeline.h"

namespace sigwhy::capture {

struct Forecast {
  double limit_bytes = 0;
  double bytes_a_second = 0;
  double uncertainty = 0;  // of that
  double rise_bytes = 0;   // over the stretch that was seen
  double left_s = 0;
  std::optional<std::string> step_name;
  std::optional<std::int64_t> step;  // where that is
};

// Against the group's limit, or against what the machine has left where no group sets one. Absent: no such trend.
std::optional<Forecast> forecast_of(const RunRecord& record, const Timeline& timeline);

// The name that holds most of what has grown, by a look while it ran: "`history` at train.py:88". Empty: none stands out.
std::string growing_in(const RecordedHolders& holders, double rise_bytes);

// "at this rate 8 GiB is reached in 12 min, near step 31,000; growing: `history` at train.py:88", else where it is now.
std::string words_of(const Forecast& forecast, const Timeline& timeline, const std::string& growing = {});

// Not the same thing again and again: again only when it is twice as certain as when it was said last.
class ForecastLine {
 public:
  // `holders` looks when it is asked, and may be asked for nothing.
  std::optional<std::string> next(const RunRecord& record, const std::function<const RecordedHolders*()>& holders);

 private:
  double said_at_uncertainty_ = 0;  // relative; 0: nothing was said yet
  int said_ = 0;
};

}  // namespace sigwhy::capture
