// The group's memory is that of all its processes: the one that was killed need not be the one that took it. Workers
// that were forked share their parent's memory only as long as nobody writes to it, and Python writes a reference count
// into every object that it looks at.
#include <fmt/format.h>

#include <algorithm>

#include "diagnose/memory_holders.h"
#include "diagnose/memory_story.h"
#include "diagnose/phrases.h"

namespace sigwhy::diagnose::stories {

namespace {

constexpr double least_share = 0.5;
constexpr std::size_t fewest_alike = 3;

std::uint64_t last_bytes(const ProcessMemory& p) {
  const auto last = [](const std::vector<std::uint64_t>& v) { return v.empty() ? 0 : v.back(); };
  return last(p.anonymous_bytes) + last(p.shared_bytes) + last(p.swap_bytes);
}

// Processes of one program that hold about as much as the one that ended.
struct Alike {
  std::size_t count = 0;
  std::uint64_t bytes = 0;  // together
};

Alike alike(const Memory& m) {
  Alike found;
  if (!m.f.snapshot.timeline) return found;
  const auto& all = m.f.snapshot.timeline->processes;
  const auto own = std::ranges::find(all, m.f.snapshot.process.pid, &ProcessMemory::pid);
  if (own == all.end() || last_bytes(*own) == 0) return found;
  for (const auto& p : all) {
    const double ratio = static_cast<double>(last_bytes(p)) / static_cast<double>(last_bytes(*own));
    if (ratio < 0.5 || ratio > 2) continue;
    ++found.count;
    found.bytes += last_bytes(p);
  }
  return found;
}

}  // namespace

std::optional<Story> other_processes(const Memory& m) {
  const auto part = part_index(m.use, MemoryKind::other_processes);
  if (!part || m.share(m.use.parts[*part].bytes) < least_share) return std::nullopt;
  const auto others = m.use.parts[*part].bytes;
  const auto same = alike(m);
  Story out{.whose = Whose::your_code};
  out.facts.push_back(fact("others", fmt::format("other processes of its group held {} of the {}; this one {}",
                                                 bytes_text(others), bytes_text(m.judged_bytes),
                                                 bytes_text(m.use.resident_bytes)),
                           {ref(fmt::format("/memory_use/parts/{}", *part))}));
  if (same.count < fewest_alike) {
    out.why = "other processes held most of the memory";
    out.whose = Whose::unknown;
    return out;
  }
  out.why = fmt::format("{} processes held about {} each", same.count, bytes_text(same.bytes / same.count));
  out.facts.push_back(fact("alike", "each process that Python forks copies the objects it looks at: their reference "
                                    "counts are written to", {ref("/timeline/processes")}));
  out.fix.push_back("Use fewer worker processes, or hold what they share as few large arrays (NumPy, a mapped file) "
                    "instead of many Python objects.");
  return out;
}

}  // namespace sigwhy::diagnose::stories
