#include "capture/forecast.h"

#include <algorithm>
#include <vector>

#include "capture/develop_timeline.h"
#include "capture/plain_words.h"
#include "evidence/trend.h"
#include "python/census_read.h"

namespace sigwhy::capture {

namespace {

constexpr double shortest_trend_s = 10;
constexpr std::size_t fewest_readings = 40;
constexpr double least_rise = 0.02;         // of the limit, over the stretch that was seen
constexpr double most_uncertain = 0.25;     // relative
constexpr double farthest = 10;             // times the stretch that was seen
constexpr int most_lines = 5;
constexpr double least_of_rise = 0.5;  // that a name must hold to be what grows

double held(const MemoryHolder& h) { return static_cast<double>(h.bytes + h.object_bytes); }

// Resident memory of all processes together, without what they merely map.
std::vector<double> held_by_processes(const Timeline& t) {
  std::vector<double> values(t.at_s.size());
  for (const auto& p : t.processes)
    for (std::size_t i = 0; i < p.anonymous_bytes.size() && p.first + i < values.size(); ++i)
      values[p.first + i] += static_cast<double>(p.anonymous_bytes[i] + p.shared_bytes[i]);
  return values;
}

void add_step(const Timeline& t, Forecast& f) {
  for (const auto& step : t.steps) {
    const std::vector<double> value(step.value.begin(), step.value.end());
    const auto pace = trend_of(step.at_s, value);
    if (!pace || pace->per_unit <= 0) continue;
    f.step_name = step.name;
    f.step = rounded(value.back() + pace->per_unit * (t.at_s.back() - step.at_s.back() + f.left_s));
    return;
  }
}

}  // namespace

std::optional<Forecast> forecast_of(const RunRecord& r, const Timeline& t) {
  if (t.at_s.size() < fewest_readings) return std::nullopt;
  const bool by_group = r.group.limit_bytes && r.group.limit_bytes < r.machine.memory_bytes && !t.group_used_bytes.empty();
  const std::vector<double> values = by_group ? std::vector<double>(t.group_used_bytes.begin(), t.group_used_bytes.end())
                                              : held_by_processes(t);
  const auto trend = trend_of(t.at_s, values);
  if (!trend || trend->per_unit <= 0 || trend->to - trend->from < shortest_trend_s) return std::nullopt;
  Forecast f{.limit_bytes = by_group ? static_cast<double>(r.group.limit_bytes) : static_cast<double>(r.machine.memory_bytes),
             .bytes_a_second = trend->per_unit,
             .uncertainty = trend->uncertainty,
             .rise_bytes = trend->rise};
  const double room = by_group ? f.limit_bytes - values.back() : static_cast<double>(r.machine.available_bytes);
  f.left_s = room / f.bytes_a_second;
  const bool sure = trend->uncertainty < most_uncertain * trend->per_unit;
  const bool near = f.left_s > 0 && f.left_s < farthest * (trend->to - trend->from);
  if (!sure || !near || trend->rise < least_rise * f.limit_bytes) return std::nullopt;
  // It has to have gone on until now: a run that grew and stopped growing is no forecast.
  const auto tail = values.size() - values.size() / 8;
  if (values.back() < values[tail] || values[tail] < values[values.size() / 2]) return std::nullopt;
  add_step(t, f);
  return f;
}

// A name that leads to one thing of a fixed size does not grow.
std::string growing_in(const RecordedHolders& holders, double rise_bytes) {
  const auto bytes = census_in(holders);
  const auto census = python::read_census({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  if (!census) return {};
  const MemoryHolder* most = nullptr;
  for (const MemoryHolder& h : census->holders) {
    const bool fixed = (h.count <= 1 && h.objects <= 1) || h.capacity;
    if (h.own_code && !fixed && (!most || held(h) > held(*most))) most = &h;
  }
  if (!most || held(*most) < least_of_rise * rise_bytes) return {};
  std::string words = "`" + most->name + "`";
  if (most->file && most->line) words += " at " + most->file->substr(most->file->rfind('/') + 1) + ":" + std::to_string(*most->line);
  else if (most->module) words += " of " + *most->module;
  return words;
}

std::string words_of(const Forecast& f, const Timeline& t, const std::string& growing) {
  std::string text = "at this rate " + size_words(f.limit_bytes) + " is reached in " + time_words(f.left_s);
  if (f.step) text += ", near " + *f.step_name + " " + number_words(*f.step);
  if (!growing.empty()) return text + "; growing: " + growing;
  if (t.last_line) {
    const auto& file = t.last_line->file;
    text += "; now at " + file.substr(file.rfind('/') + 1) + ":" + std::to_string(t.last_line->line);
  }
  return text;
}

std::optional<std::string> ForecastLine::next(const RunRecord& record,
                                              const std::function<const RecordedHolders*()>& holders) {
  if (said_ >= most_lines) return std::nullopt;
  const auto timeline = timeline_of(record);
  const auto forecast = forecast_of(record, timeline);
  if (!forecast) return std::nullopt;
  const double relative = std::max(1e-6, forecast->uncertainty / forecast->bytes_a_second);
  if (said_ && relative > said_at_uncertainty_ / 2) return std::nullopt;
  said_at_uncertainty_ = relative;
  ++said_;
  const RecordedHolders* seen = holders();
  return "sigwhy: " + words_of(*forecast, timeline, seen ? growing_in(*seen, forecast->rise_bytes) : "");
}

}  // namespace sigwhy::capture
