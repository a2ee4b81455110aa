#include "diagnose/memory_growth.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "diagnose/phrases.h"

namespace sigwhy::diagnose {

namespace {

constexpr std::size_t fewest = 8;           // readings that a line needs
constexpr std::size_t fewest_looks = 3;      // at a counter
constexpr std::size_t last_readings = 3;    // a jump happens within these
constexpr double least_a_step = 4;          // bytes: what rises byte for byte with memory is an address or a size
constexpr double at_limit = 0.985;
constexpr double least_rise = 0.2;          // of what there was at the end
constexpr double most_fallen = 0.1;         // a climb ends near its top
constexpr double slowest = 0.15, fastest = 4;  // of the speed since
constexpr double most_within = 0.25;  // of a line's rise, that may be given back on the way
constexpr double most_at_once = 0.3;  // of a rise, between two readings
constexpr double least_of_whole = 0.6;
constexpr double good_fit = 0.99;
constexpr double least_of_short = 0.08, most_of_short = 0.5;
constexpr double jump_share = 0.4;
constexpr double most_of_run = 0.5;
// A short run may be nothing but its start and one large step: then the line must be a good one.
constexpr double least_to_go_on_s = 3, most_uncertain = 0.2;

struct Series {
  std::vector<double> at, bytes;
  std::string path;
  bool of_group = false;
  std::size_t first = 0;  // index into Timeline.at_s
};

double column(const std::vector<std::uint64_t>& values, std::size_t i) {
  return i < values.size() ? static_cast<double>(values[i]) : 0;
}

Series of_process(const Timeline& t, std::size_t index) {
  const ProcessMemory& p = t.processes[index];
  Series s{.path = fmt::format("/timeline/processes/{}", index), .first = p.first};
  for (std::size_t i = 0; i < p.anonymous_bytes.size() && p.first + i < t.at_s.size(); ++i) {
    s.at.push_back(t.at_s[p.first + i]);
    s.bytes.push_back(column(p.anonymous_bytes, i) + column(p.shared_bytes, i) + column(p.swap_bytes, i));
  }
  return s;
}

Series of_group(const Timeline& t) {
  Series s{.path = "/timeline/group_used_bytes", .of_group = true};
  for (std::size_t i = 0; i < std::min(t.at_s.size(), t.group_used_bytes.size()); ++i) {
    s.at.push_back(t.at_s[i]);
    s.bytes.push_back(static_cast<double>(t.group_used_bytes[i]));
  }
  return s;
}

std::optional<Series> judged_series(const Snapshot& snapshot) {
  if (!snapshot.timeline) return std::nullopt;
  const Timeline& t = *snapshot.timeline;
  const auto own = std::ranges::find(t.processes, snapshot.process.pid, &ProcessMemory::pid);
  Series s = own == t.processes.end() ? of_group(t) : of_process(t, static_cast<std::size_t>(own - t.processes.begin()));
  return s.at.empty() ? std::nullopt : std::optional(std::move(s));
}

// Without the stretch in which the group stood at its limit and nothing more could be had. A group is at its limit long
// before: it is filled with pages of files first, and those make room for the program's own.
std::size_t before_the_limit(const Timeline& t, const Series& s) {
  if (!t.limit_bytes || t.group_used_bytes.size() < t.at_s.size()) return s.at.size();
  std::size_t end = s.at.size();
  const auto full = [&](std::size_t i) {
    return column(t.group_used_bytes, i + s.first) >= at_limit * static_cast<double>(*t.limit_bytes);
  };
  const double top = at_limit * *std::ranges::max_element(s.bytes);
  while (end > fewest && full(end - 1) && s.bytes[end - 1] >= top) --end;
  return end;
}

double between(const Series& s, double at) {
  const auto right = std::ranges::lower_bound(s.at, at);
  if (right == s.at.begin()) return s.bytes.front();
  if (right == s.at.end()) return s.bytes.back();
  const auto i = static_cast<std::size_t>(right - s.at.begin());
  const double width = s.at[i] - s.at[i - 1];
  const double part = width > 0 ? (at - s.at[i - 1]) / width : 1;
  return s.bytes[i - 1] + part * (s.bytes[i] - s.bytes[i - 1]);
}

double slope_over(const Series& s, double from, double to) {
  return to > from ? (between(s, to) - between(s, from)) / (to - from) : 0;
}

// Counters are looked at less often than memory: between two looks they are taken to have run evenly.
std::optional<StepGrowth> against(const Series& s, const Trend& over, const StepCounter& counter) {
  Series count{.at = counter.at_s};
  for (const auto value : counter.value) count.bytes.push_back(static_cast<double>(value));
  const bool sound = count.at.size() == count.bytes.size() && count.at.size() >= fewest_looks;
  if (!sound || !std::ranges::is_sorted(count.bytes) || !std::ranges::is_sorted(count.at)) return std::nullopt;
  std::vector<double> steps, bytes;
  for (std::size_t i = 0; i < s.at.size(); ++i) {
    if (s.at[i] < std::max(over.from, count.at.front()) || s.at[i] > std::min(over.to, count.at.back())) continue;
    steps.push_back(between(count, s.at[i]));
    bytes.push_back(s.bytes[i]);
  }
  if (steps.empty() || steps.back() - steps.front() < fewest_looks) return std::nullopt;
  const auto trend = trend_of(steps, bytes);
  if (!trend || trend->per_unit < least_a_step) return std::nullopt;
  return StepGrowth{*trend, counter.name, static_cast<std::uint64_t>(trend->to - trend->from), count.at.front(), {}};
}

// The counter that memory follows best; an epoch is one too, but has fewer values.
std::optional<StepGrowth> best_step(const Timeline& t, const Series& s, const Trend& over) {
  std::optional<StepGrowth> best;
  for (std::size_t i = 0; i < t.steps.size(); ++i) {
    auto found = against(s, over, t.steps[i]);
    if (!found || (best && best->trend.share_explained >= found->trend.share_explained)) continue;
    found->path = fmt::format("/timeline/steps/{}", i);
    best = std::move(found);
  }
  return best;
}

// A line through all of it may be good enough and still begin in the imports: where a later start fits much better,
// the climb begins there.
std::optional<Trend> best_line(const Series& s) {
  for (std::size_t start = 0; start < s.at.size() * 3 / 4; start += std::max<std::size_t>(1, s.at.size() / 24)) {
    const auto trend = trend_of(std::span(s.at).subspan(start), std::span(s.bytes).subspan(start));
    if (trend && trend->from == s.at[start] && trend->share_explained >= good_fit) return trend;
  }
  return trend_of(s.at, s.bytes);
}

double most_fallen_between(const Series& s, double start, double end) {
  double top = 0, fell = 0;
  for (std::size_t i = 0; i < s.at.size() && s.at[i] <= end; ++i) {
    if (s.at[i] < start) continue;
    top = std::max(top, s.bytes[i]);
    fell = std::max(fell, top - s.bytes[i]);
  }
  return fell;
}

// Back from the end for as long as it rose at a like speed: what went before (a rest, a fall, a data set that was read)
// is another chapter.
std::size_t last_chapter(const Series& s) {
  const std::size_t width = std::max<std::size_t>(3, s.at.size() / 16);
  std::size_t start = s.at.size() - 1;
  while (start >= width) {
    const double speed = slope_over(s, s.at[start - width], s.at[start]);
    const double since = slope_over(s, s.at[start], s.at.back());
    const bool first = start + 1 == s.at.size();
    if (speed <= 0 || (!first && (speed < slowest * since || speed > fastest * since))) break;
    start -= width;
  }
  return start;
}

// Up all the way, over many readings and not in one leap.
std::optional<Trend> rise_without_fall(const Series& s) {
  const std::size_t low = last_chapter(s);
  const double rise = s.bytes.back() - s.bytes[low], seconds = s.at.back() - s.at[low];
  if (s.bytes.size() - low < fewest || rise <= 0 || seconds <= 0) return std::nullopt;
  for (std::size_t i = low + 1; i < s.bytes.size(); ++i)
    if (s.bytes[i] - s.bytes[i - 1] > most_at_once * rise) return std::nullopt;
  return Trend{.per_unit = rise / seconds, .from = s.at[low], .to = s.at.back(), .rise = rise};
}

// What rose before the first step was counted is loading.
void start_with_steps(const Series& s, const Series& all, Climb& climb) {
  climb.trend.from = std::max(climb.trend.from, climb.step->first_s);
  climb.trend.rise = all.bytes.back() - between(s, climb.trend.from);
  climb.rise_bytes = static_cast<std::uint64_t>(std::max(0.0, climb.trend.rise));
}

// All within a few readings, and yet not at once: too short for a line, and no allocation of one thing either.
std::optional<Trend> short_rise(const Series& s) {
  const double whole = s.bytes.back() - s.bytes.front();
  std::size_t low = s.bytes.size() - 1;
  while (low > 0 && s.bytes[low] - s.bytes[low - 1] > least_of_short * whole) --low;
  const double rise = s.bytes.back() - s.bytes[low], seconds = s.at.back() - s.at[low];
  if (s.bytes.size() - 1 - low < fewest_looks || rise < s.bytes.back() / 2 || seconds <= 0) return std::nullopt;
  for (std::size_t i = low + 1; i < s.bytes.size(); ++i)
    if (s.bytes[i] - s.bytes[i - 1] > most_of_short * rise) return std::nullopt;
  return Trend{.per_unit = rise / seconds, .from = s.at[low], .to = s.at.back(), .rise = rise};
}

std::optional<Climb> climb_of(const Timeline& t, const Series& all) {
  Series s = all;
  s.at.resize(before_the_limit(t, all));
  s.bytes.resize(s.at.size());
  auto trend = best_line(s);
  // A poor line through the end of a longer rise tells only the end of it.
  const auto whole = rise_without_fall(s);
  const bool on_a_line = trend && trend->per_unit > 0 && (!whole || trend->rise > least_of_whole * whole->rise) &&
                         most_fallen_between(s, trend->from, trend->to) < most_within * trend->rise;
  if (!on_a_line) trend = whole;
  if (!trend) return std::nullopt;
  trend->rise = all.bytes.back() - between(s, trend->from);
  const double top = *std::ranges::max_element(s.bytes), last = s.bytes.back();
  if (trend->rise < least_rise * last || last < top * (1 - most_fallen)) return std::nullopt;
  const double third = (trend->to - trend->from) / 3;
  Climb climb{.trend = *trend, .on_a_line = on_a_line, .rise_bytes = static_cast<std::uint64_t>(trend->rise)};
  climb.slows_down = slope_over(s, trend->to - third, trend->to) < slope_over(s, trend->from, trend->from + third) / 2;
  climb.fell_bytes = static_cast<std::uint64_t>(most_fallen_between(s, 0, trend->from));
  climb.step = best_step(t, s, *trend);
  if (climb.step) start_with_steps(s, all, climb);
  return climb;
}

// With the reading that reached it: at its limit a process may live on for seconds, while the kernel looks for pages.
Series until_the_limit(const Timeline& t, const Series& all) {
  Series s = all;
  s.at.resize(std::min(all.at.size(), before_the_limit(t, all) + 1));
  s.bytes.resize(s.at.size());
  return s;
}

// Where there was hardly time to look, a climb and a jump are alike.
std::optional<Climb> short_climb_of(const Timeline& t, const Series& all) {
  const Series s = until_the_limit(t, all);
  auto trend = short_rise(s);
  if (!trend) return std::nullopt;
  trend->rise = all.bytes.back() - between(s, trend->from);
  return Climb{.trend = *trend, .on_a_line = false, .rise_bytes = static_cast<std::uint64_t>(trend->rise)};
}

std::optional<std::uint64_t> jump_of(const Timeline& t, const Series& all) {
  const Series s = until_the_limit(t, all);
  if (s.bytes.size() < fewest) return std::nullopt;
  const std::size_t before = s.bytes.size() - 1 - last_readings;
  const double rise = s.bytes.back() - s.bytes[before];
  if (rise < jump_share * s.bytes.back()) return std::nullopt;
  return static_cast<std::uint64_t>(rise);
}

std::string within(double uncertainty) {
  return bytes_text(static_cast<std::uint64_t>(std::max(1.0, std::ceil(std::abs(uncertainty)))));
}

}  // namespace

bool goes_on(const MemoryCurve& curve) {
  if (!curve.climb) return false;
  const Climb& c = *curve.climb;
  const double climbs_s = c.trend.to - c.trend.from;
  const bool steady = climbs_s >= least_to_go_on_s || c.trend.uncertainty <= most_uncertain * c.trend.per_unit;
  return c.step || (c.on_a_line && steady && climbs_s >= most_of_run * curve.lasted_s);
}

std::optional<MemoryCurve> memory_curve(const Facts& f) {
  const auto series = judged_series(f.snapshot);
  if (!series) return std::nullopt;
  MemoryCurve curve{.of_group = series->of_group, .path = series->path};
  curve.first_bytes = static_cast<std::uint64_t>(series->bytes.front());
  curve.last_bytes = static_cast<std::uint64_t>(series->bytes.back());
  curve.peak_bytes = static_cast<std::uint64_t>(*std::ranges::max_element(series->bytes));
  curve.lasted_s = series->at.back() - series->at.front();
  curve.climb = climb_of(*f.snapshot.timeline, *series);
  if (!curve.climb) curve.jump_bytes = jump_of(*f.snapshot.timeline, *series);
  if (!curve.climb) curve.short_climb = short_climb_of(*f.snapshot.timeline, *series);
  return curve;
}

std::optional<MemoryBound> memory_bound(const Facts& f) {
  const auto& bounds = f.snapshot.memory_bounds;
  if (bounds) {
    std::optional<std::size_t> least;
    for (std::size_t i = 0; i < bounds->groups.size(); ++i) {
      const auto& limit = bounds->groups[i].limit_bytes;
      if (limit && (!least || *limit < *bounds->groups[*least].limit_bytes)) least = i;
    }
    if (least) {
      const auto bytes = *bounds->groups[*least].limit_bytes;
      return MemoryBound{bytes, fmt::format("the limit of {}", bytes_text(bytes)),
                         fmt::format("/memory_bounds/groups/{}", *least)};
    }
    if (bounds->machine_bytes)
      return MemoryBound{*bounds->machine_bytes, fmt::format("the machine's {}", bytes_text(*bounds->machine_bytes)),
                         "/memory_bounds/machine_bytes"};
  }
  if (f.snapshot.timeline && f.snapshot.timeline->limit_bytes) {
    const auto bytes = *f.snapshot.timeline->limit_bytes;
    return MemoryBound{bytes, fmt::format("the limit of {}", bytes_text(bytes)), "/timeline/limit_bytes"};
  }
  return std::nullopt;
}

std::string time_text(double seconds) {
  if (seconds < 10) return fmt::format("{:.1f} s", seconds);
  if (seconds < 120) return fmt::format("{:.0f} s", seconds);
  if (seconds < 7200) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

std::string speed_text(const Climb& climb) {
  if (climb.step)
    return fmt::format("{} a step (within {}) over {} steps of `{}`",
                       bytes_text(static_cast<std::uint64_t>(climb.step->trend.per_unit)),
                       within(climb.step->trend.uncertainty), count_text(climb.step->steps), climb.step->name);
  const double seconds = climb.trend.to - climb.trend.from;
  if (!climb.on_a_line) return fmt::format("without a fall for {}", time_text(seconds));
  const bool slow = seconds > 120;
  const double unit = slow ? 60 : 1;
  return fmt::format("{} a {} (within {}) for {}", bytes_text(static_cast<std::uint64_t>(climb.trend.per_unit * unit)),
                     slow ? "minute" : "second", within(climb.trend.uncertainty * unit), time_text(seconds));
}

}  // namespace sigwhy::diagnose
