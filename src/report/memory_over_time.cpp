#include "report/memory_over_time.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <string>

#include "report/symbols.h"
#include "report/words.h"

namespace sigwhy::report {

namespace {

constexpr std::size_t widest = 24;
constexpr std::size_t fewest_readings = 4;
constexpr std::size_t most_steps = 4;

bool is_about_memory(const Snapshot& s, const std::vector<const Finding*>& told) {
  const auto& t = s.termination;
  if (t.kind == TerminationKind::lost || t.kind == TerminationKind::killed_for_memory) return true;
  if (t.kind == TerminationKind::signalled && t.signal == SIGKILL) return true;
  return std::ranges::any_of(told, [](const Finding* f) {
    return f->cause == Cause::out_of_memory_killed || f->cause == Cause::out_of_memory_refused ||
           f->cause == Cause::memory_leak;
  });
}

// All processes together, resident. What a group counts is shown instead where it has a limit of its own.
std::vector<double> series_of(const Timeline& t, std::uint64_t machine_bytes) {
  std::vector<double> values(t.at_s.size());
  if (t.group && t.limit_bytes && *t.limit_bytes < machine_bytes && t.group_used_bytes.size() == values.size()) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(t.group_used_bytes[i]);
    return values;
  }
  for (const auto& p : t.processes)
    for (std::size_t i = 0; i < p.anonymous_bytes.size() && p.first + i < values.size(); ++i) {
      const auto of = [&](const std::vector<std::uint64_t>& column) {
        return i < column.size() ? static_cast<double>(column[i]) : 0.0;
      };
      values[p.first + i] += of(p.anonymous_bytes) + of(p.file_bytes) + of(p.shared_bytes);
    }
  return values;
}

// Equal stretches of time, the largest value of each; a stretch without a reading goes on as before it.
std::vector<double> heights(const std::vector<double>& at_s, const std::vector<double>& values) {
  const std::size_t columns = std::min(widest, values.size());
  std::vector<double> tops(columns, -1);
  const double from = at_s.front(), span = at_s.back() - from;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto column = span > 0 ? std::min(columns - 1, static_cast<std::size_t>((at_s[i] - from) / span * static_cast<double>(columns))) : 0;
    tops[column] = std::max(tops[column], values[i]);
  }
  for (std::size_t c = 1; c < columns; ++c)
    if (tops[c] < 0) tops[c] = tops[c - 1];
  return tops;
}

std::string drawn(const std::vector<double>& tops, double full) {
  constexpr const char* marks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::string line;
  for (const double top : tops)
    line += marks[std::clamp(static_cast<int>(top / full * 8), 0, 7)];
  return line;
}

std::string line_of(const Timeline& t, std::uint64_t machine_bytes) {
  const auto values = series_of(t, machine_bytes);
  const double most = *std::ranges::max_element(values);
  if (most <= 0) return {};
  const double limit = t.limit_bytes ? static_cast<double>(*t.limit_bytes) : 0;
  const bool near = limit > 0 && most > limit / 4;
  const auto what = near ? "limit\u00a0" + size_text(*t.limit_bytes)
                         : "at\u00a0most\u00a0" + size_text(static_cast<std::uint64_t>(most));
  const double start_s = t.at_s.front() < 1 ? 0 : t.at_s.front();
  return fmt::format("{}\u00a0{} {}, {}", start_s > 0 ? duration_text(start_s) : "0\u00a0s",
                     drawn(heights(t.at_s, values), near ? std::max(limit, most) : most), duration_text(t.at_s.back()), what);
}

}  // namespace

std::vector<Row> memory_rows(const Snapshot& s, const std::vector<const Finding*>& told) {
  if (!s.timeline || s.timeline->at_s.size() < fewest_readings || !is_about_memory(s, told)) return {};
  auto line = line_of(*s.timeline, s.host.memory_bytes);
  if (line.empty()) return {};
  return {{{"memory", std::move(line)}}};
}

std::vector<Row> last_seen_rows(const Snapshot& s) {
  if (s.termination.kind != TerminationKind::lost || !s.timeline || !s.timeline->last_line) return {};
  const auto& last = *s.timeline->last_line;
  const double before_s = std::max(0.0, s.termination.after_seconds - last.at_s);
  return {{{fmt::format("{}:{}", short_source(last.file, s.process.directory), last.line), last.function,
            "last seen here, " + duration_text(before_s) + " before the end"}}};
}

std::vector<Section> timeline_details(const Snapshot& s) {
  if (!s.timeline || s.timeline->at_s.empty()) return {};
  const Timeline& t = *s.timeline;
  Section section{"Memory over time", {}};
  if (auto line = line_of(t, s.host.memory_bytes); !line.empty()) section.rows.push_back({{"all", std::move(line)}});
  if (t.group) section.rows.push_back({{"group", *t.group}});
  for (const auto& p : t.processes) {
    std::uint64_t most = 0;
    for (std::size_t i = 0; i < p.anonymous_bytes.size(); ++i) most = std::max(most, p.anonymous_bytes[i]);
    section.rows.push_back({{p.pid ? std::to_string(p.pid) : "-",
                             fmt::format("{}: at most {} of its own", p.command, size_text(most))}});
  }
  for (std::size_t i = 0; i < std::min(t.steps.size(), most_steps); ++i) {
    const auto& step = t.steps[i];
    if (step.value.empty()) continue;
    section.rows.push_back({{"counts", fmt::format("{} in {}: {} to {}", step.name, step.function, step.value.front(), step.value.back())}});
  }
  if (t.last_line)
    section.rows.push_back({{"line", fmt::format("{}:{} {} at {}", t.last_line->file, t.last_line->line, t.last_line->function,
                                                 duration_text(t.last_line->at_s))}});
  return {section};
}

}  // namespace sigwhy::report
