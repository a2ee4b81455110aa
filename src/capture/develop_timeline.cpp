#include "capture/develop_timeline.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace sigwhy::capture {

namespace {

constexpr std::size_t fewest_values = 4;
constexpr double fewest_rising = 0.9;

template <std::size_t size>
void end_text(char (&text)[size]) {
  text[size - 1] = '\0';
}

std::uint64_t bytes_of(std::uint32_t kib) { return std::uint64_t{kib} << 10; }

// In the order of time: the thinned ones, then those of the last seconds that are not among them.
std::vector<const Reading*> readings_of(const RunRecord& r) {
  std::vector<const Reading*> recent, all;
  const std::size_t count = std::min<std::size_t>(r.recent_count, record_recent);
  for (std::size_t i = 0; i < count; ++i) recent.push_back(&r.recent[(r.recent_count - count + i) % record_recent]);
  const double from = recent.empty() ? INFINITY : recent.front()->at_s;
  for (std::size_t i = 0; i < r.kept_count && r.kept[i].at_s < from; ++i) all.push_back(&r.kept[i]);
  all.insert(all.end(), recent.begin(), recent.end());
  double last = -1;
  std::erase_if(all, [&](const Reading* reading) {
    if (!std::isfinite(reading->at_s) || reading->at_s <= last) return true;
    last = reading->at_s;
    return false;
  });
  return all;
}

std::optional<ProcessMemory> column_of(const RunRecord& r, const std::vector<const Reading*>& readings, std::size_t c) {
  ProcessMemory p{.pid = r.processes[c].pid, .command = r.processes[c].command};
  const auto there = [&](const Reading* reading) { return reading->processes[c].anonymous != not_read; };
  const auto first = std::ranges::find_if(readings, there);
  if (first == readings.end()) return std::nullopt;
  const auto last = std::find_if(readings.rbegin(), readings.rend(), there).base();
  p.first = static_cast<std::uint64_t>(first - readings.begin());
  for (auto at = first; at != last; ++at) {
    const ProcessReading& now = (*at)->processes[c];
    const bool gone = now.anonymous == not_read;
    p.anonymous_bytes.push_back(gone ? 0 : bytes_of(now.anonymous));
    p.file_bytes.push_back(gone ? 0 : bytes_of(now.file));
    p.shared_bytes.push_back(gone ? 0 : bytes_of(now.shared));
    p.swap_bytes.push_back(gone ? 0 : bytes_of(now.swap));
  }
  if (c == record_others) p.command = "all others";
  return p;
}

// Counts as the program goes on: rises nearly every time it is looked at, and never starts again.
bool counts_up(const StepCounter& s) {
  if (s.value.size() < fewest_values) return false;
  std::size_t rises = 0;
  for (std::size_t i = 1; i < s.value.size(); ++i) {
    if (s.value[i] < s.value[i - 1]) return false;
    rises += s.value[i] > s.value[i - 1];
  }
  return static_cast<double>(rises) >= fewest_rising * static_cast<double>(s.value.size() - 1);
}

std::vector<StepCounter> steps_of(const RunRecord& r) {
  std::vector<StepCounter> steps;
  for (std::size_t i = 0; i < r.step_count; ++i) {
    const RecordedStep& recorded = r.steps[i];
    StepCounter step{.name = recorded.name, .file = recorded.file, .function = recorded.function};
    for (std::size_t v = 0; v < recorded.count; ++v) {
      step.at_s.push_back(recorded.values[v].at_s);
      step.value.push_back(recorded.values[v].value);
    }
    if (std::ranges::all_of(step.at_s, [](double s) { return std::isfinite(s); }) && counts_up(step))
      steps.push_back(std::move(step));
  }
  // The one that was seen most often first.
  std::ranges::stable_sort(steps, std::greater{}, [](const StepCounter& s) { return s.value.size(); });
  return steps;
}

// "/jobs/17" -> "/jobs"
std::string around(const std::string& path) {
  const auto outer = path.substr(0, path.rfind('/'));
  return outer.empty() ? "/" : outer;
}

template <class Number>
std::optional<std::uint64_t> known(Number value) {
  return value < 0 ? std::nullopt : std::optional(static_cast<std::uint64_t>(value));
}

}  // namespace

std::optional<RunRecord> record_in(const std::string& bytes) {
  RunRecord r;
  if (bytes.size() != sizeof r) return std::nullopt;
  std::memcpy(&r, bytes.data(), sizeof r);
  if (r.version != run_record_version || r.bytes != sizeof r) return std::nullopt;
  r.kept_count = std::min<std::uint32_t>(r.kept_count, record_kept);
  r.step_count = std::min<std::uint32_t>(r.step_count, record_steps);
  r.levels.count = std::min<std::uint64_t>(r.levels.count, record_levels);
  auto& who = r.identity;
  who.arguments_bytes = std::min<std::uint32_t>(who.arguments_bytes, sizeof who.arguments);
  end_text(who.boot_id), end_text(who.command), end_text(who.directory), end_text(who.executable);
  end_text(r.group.path), end_text(r.group.directory), end_text(r.levels.path), end_text(r.levels.directory);
  end_text(r.line.file), end_text(r.line.function);
  for (auto& process : r.processes) end_text(process.command);
  for (auto& step : r.steps) {
    step.count = std::min<std::uint32_t>(step.count, record_step_values);
    end_text(step.name), end_text(step.file), end_text(step.function);
  }
  return r;
}

Timeline timeline_of(const RunRecord& r) {
  Timeline t{.every_s = std::isfinite(r.tick_s) ? r.tick_s * r.stride : 0};
  const auto readings = readings_of(r);
  const bool group_known = r.group.version != 0 && std::ranges::all_of(readings, [](const Reading* reading) {
    return reading->group_kib != not_read;
  });
  if (group_known) t.group = r.group.path;
  for (const Reading* reading : readings) {
    t.at_s.push_back(reading->at_s);
    if (group_known) t.group_used_bytes.push_back(bytes_of(reading->group_kib));
  }
  if (r.group.limit_bytes) t.limit_bytes = r.group.limit_bytes;
  const auto machine = r.machine.memory_bytes;
  if (machine && (!t.limit_bytes || machine < *t.limit_bytes)) t.limit_bytes = machine;
  for (std::size_t c = 0; c < record_processes; ++c)
    if (auto column = column_of(r, readings, c)) t.processes.push_back(std::move(*column));
  t.steps = steps_of(r);
  if (r.line.line > 0) t.last_line = {r.line.file, r.line.function, r.line.line, r.line.at_s};
  return t;
}

MemoryBounds bounds_of(const RunRecord& r) {
  MemoryBounds b;
  const auto& m = r.machine;
  if (m.memory_bytes) {
    b.machine_bytes = m.memory_bytes;
    b.available_bytes = m.available_bytes;
    b.swap_bytes = m.swap_bytes;
    b.swap_free_bytes = m.swap_free_bytes;
  }
  b.machine_oom_kills_before = known(m.oom_kills);
  if (!r.group.version) return b;
  const auto& counters = r.levels.older.at_s > 0 ? r.levels.older : r.levels.newer;
  std::string path = r.levels.path;
  for (std::size_t i = 0; i < r.levels.count; ++i, path = around(path)) {
    const RecordedLevel& level = r.levels.level[i];
    const RecordedCounts& counts = counters.level[i];
    MemoryGroup g{.path = path, .version = r.group.version, .killed_as_one = level.killed_as_one != 0};
    if (level.limit_bytes) g.limit_bytes = level.limit_bytes;
    g.oom_kills_before = known(i > 0 && counts.kills_below >= 0 ? counts.kills_below : counts.kills);
    g.limit_hits_before = known(counts.limit_hits);
    if (path == r.group.path) {
      g.used_bytes = r.group.used_bytes;
      if (r.group.limit_bytes) g.limit_bytes = r.group.limit_bytes;
    }
    b.groups.push_back(std::move(g));
  }
  return b;
}

std::optional<Timeline> timeline_of(const Target& target) {
  const auto file = target.files.find("timeline");
  const auto record = file == target.files.end() ? std::nullopt : record_in(file->second);
  if (!record) return std::nullopt;
  auto timeline = timeline_of(*record);
  return timeline.at_s.empty() ? std::nullopt : std::optional(std::move(timeline));
}

}  // namespace sigwhy::capture
