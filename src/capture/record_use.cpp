#include "capture/record_use.h"

#include <algorithm>
#include <cmath>

#include "native/adding_lines.h"
#include "python/census_read.h"

namespace sigwhy::capture {

namespace {

// The reading next to the look.
struct Split {
  std::uint64_t anonymous = 0, file = 0, shared = 0;
};

std::optional<Split> split_at(const Timeline& t, std::int64_t pid, double at_s) {
  const auto p = std::ranges::find(t.processes, pid, &ProcessMemory::pid);
  if (p == t.processes.end()) return std::nullopt;
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < p->anonymous_bytes.size() && p->first + i < t.at_s.size(); ++i)
    if (!best || std::abs(t.at_s[p->first + i] - at_s) < std::abs(t.at_s[p->first + *best] - at_s)) best = i;
  if (!best) return std::nullopt;
  return Split{p->anonymous_bytes[*best], p->file_bytes[*best], p->shared_bytes[*best]};
}

void add_parts(const Split& split, const python::CensusFacts& census, MemoryUse& use) {
  auto left = split.anonymous;
  const auto add = [&](MemoryKind kind, std::uint64_t bytes, std::uint64_t count) {
    if (bytes) use.parts.push_back({kind, bytes, count});
  };
  const auto take = [&](MemoryKind kind, std::uint64_t wanted, std::uint64_t count) {
    const auto given = std::min(wanted, left);
    left -= given;
    add(kind, given, count);
  };
  take(MemoryKind::arrays, census.array_bytes, census.arrays);
  take(MemoryKind::python_objects, census.object_bytes, census.objects);
  add(MemoryKind::unknown, left, 0);
  add(MemoryKind::code_and_files, split.file, 0);
  add(MemoryKind::shared_memory, split.shared, 0);
  std::ranges::stable_sort(use.parts, std::ranges::greater{}, &MemoryPart::bytes);
}

}  // namespace

std::optional<MemoryUse> memory_use_of(const LeftRecord& left, Snapshot& s) {
  const auto bytes = census_in(*left.holders);
  auto census = python::read_census({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  if (bytes.empty() || !census) return std::nullopt;
  MemoryUse use{.before_the_end = true, .at_s = std::isfinite(left.holders->at_s) ? left.holders->at_s : 0};
  if (std::isfinite(left.holders->took_s)) use.took_s = left.holders->took_s;
  if (const auto split = split_at(*s.timeline, s.process.pid, use.at_s)) {
    use.resident_bytes = use.judged_bytes = split->anonymous + split->file + split->shared;
    add_parts(*split, *census, use);
  }
  use.objects_seen = census->objects;
  use.holders = std::move(census->holders);
  use.copies = std::move(census->copies);
  use.types = std::move(census->types);
  if (census->cut_short)
    s.gaps.push_back({"what some Python names hold", "the look while it ran was over before all of them were followed", ""});
  Target seen{.pid = static_cast<pid_t>(s.process.pid), .started_unix_s = s.process.started_unix_s};
  if (!s.process.directory.empty()) seen.files["cwd"] = s.process.directory;
  native::add_adding_lines(seen, {}, s.timeline, use);
  return use;
}

}  // namespace sigwhy::capture
