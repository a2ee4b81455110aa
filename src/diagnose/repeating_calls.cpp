#include "diagnose/repeating_calls.h"

#include <algorithm>

#include "diagnose/phrases.h"

namespace sigwhy::diagnose {

namespace {

constexpr std::size_t longest_period = 12, furthest_start = 24;
constexpr std::uint64_t least_times = 8;

bool is_same(const PythonFrame& a, const PythonFrame& b) {
  return a.function == b.function && a.file == b.file && a.line == b.line;
}

std::uint64_t repetitions(const std::vector<PythonFrame>& frames, std::size_t start, std::size_t period) {
  std::size_t same = 0;
  while (start + same + period < frames.size() && is_same(frames[start + same], frames[start + same + period])) ++same;
  return same / period + 1;
}

std::string names_of(const std::vector<PythonFrame>& frames, std::size_t start, std::size_t period) {
  std::vector<std::string> names;
  for (auto i = start + period; i-- > start;) {
    const auto name = one_line(frames[i].function, 40) + "()";
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  if (names.size() == 1) return names[0];
  const auto more = names.size() - 2;
  return names[0] + (more ? ", " + names[1] + " and " + count_text(more) + " more" : " and " + names[1]);
}

}  // namespace

std::optional<RepeatingCalls> repeating_calls(const Facts& f) {
  if (!f.failure) return std::nullopt;
  const auto at = f.failure->told.back();
  const auto& e = f.snapshot.python_exceptions[at];
  const bool python2 = is_a(e, {"RuntimeError"}) && e.message.starts_with("maximum recursion depth exceeded");
  if (!is_a(e, {"RecursionError"}) && !python2) return std::nullopt;
  std::optional<RepeatingCalls> best;
  for (std::size_t start = 0; start < furthest_start; ++start)
    for (std::size_t period = 1; period <= longest_period && start + 2 * period <= e.traceback.size(); ++period) {
      const auto times = repetitions(e.traceback, start, period);
      if (times < least_times) continue;
      if (!best || times * period > best->times * best->period)
        best = RepeatingCalls{names_of(e.traceback, start, period), period, times, at};
      break;  // a multiple of this period repeats as well
    }
  return best;
}

}  // namespace sigwhy::diagnose
