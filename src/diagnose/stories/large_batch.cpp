// A step that works on too many samples at once: what lies between input and loss (activations, their gradients) grows
// with the batch, is held by the framework and has no name in Python. Memory jumps inside one step and climbs over none;
// on a busy machine the jump takes seconds.
#include <fmt/format.h>

#include <algorithm>

#include "diagnose/line_use.h"
#include "diagnose/memory_holders.h"
#include "diagnose/memory_story.h"
#include "diagnose/phrases.h"

namespace sigwhy::diagnose::stories {

namespace {

std::string_view own_line(const Memory& m) {
  const auto own = own_frame(m.f);
  if (!own) return {};
  const auto& text = m.f.snapshot.threads[*python_thread(m.f)].python[*own].text;
  return text ? std::string_view(*text) : std::string_view();
}

// The array that the user's code hands over with the most samples in its first dimension: one that the line names, where
// it names any. A batch lies beside the data set that it was taken from.
std::optional<std::size_t> batch(const Memory& m) {
  std::optional<std::size_t> best;
  bool best_named = false;
  const auto& arrays = m.f.snapshot.arrays;
  const auto line = own_line(m);
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    const Array& a = arrays[i];
    const auto name = name_of(m.f.snapshot, a);
    if (a.shape.size() < 2 || a.shape.front() < 2 || !name.users || a.label) continue;  // a variable is no data
    const bool named = is_given_whole(line, name.name);
    if (best && (best_named > named || (best_named == named && a.shape.front() <= arrays[*best].shape.front()))) continue;
    best = i;
    best_named = named;
  }
  return best;
}

// What came at the end, at once or nearly so.
std::optional<std::uint64_t> last_rise(const Memory& m) {
  if (!m.curve || goes_on(*m.curve)) return std::nullopt;
  if (m.curve->climb) return m.curve->climb->rise_bytes;
  if (m.curve->jump_bytes || !m.curve->short_climb) return m.curve->jump_bytes;
  return m.curve->short_climb->rise_bytes;
}

}  // namespace

std::optional<Story> large_batch(const Memory& m) {
  const auto rise = last_rise(m);
  if (!rise) return std::nullopt;
  const auto unnamed = part_bytes(m.use, MemoryKind::unnamed_arrays) + part_bytes(m.use, MemoryKind::heap_in_use);
  const auto index = batch(m);
  if (!index || m.share(unnamed) < 0.3) return std::nullopt;
  const Array& a = m.f.snapshot.arrays[*index];
  const auto samples = static_cast<std::uint64_t>(a.shape.front());
  const auto name = name_of(m.f.snapshot, a).name;
  Story out{.why = fmt::format("one step on all {} samples of `{}` at once may be too large", count_text(samples), name),
            .whose = Whose::your_code};
  out.facts.push_back(fact("step", fmt::format("memory rose by {} at the very end, {} for each of them if that was one step",
                                               bytes_text(*rise), bytes_text(*rise / samples)),
                           {ref(m.curve->path), ref(fmt::format("/arrays/{}", *index))}));
  out.fix.push_back(fmt::format("Work on fewer samples at a time: if that was one step, half of them saves about {}.",
                                bytes_text(*rise / 2)));
  return out;
}

}  // namespace sigwhy::diagnose::stories
