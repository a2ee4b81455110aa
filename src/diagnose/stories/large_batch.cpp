// A step that works on too many samples at once: what lies between input and loss (activations, their gradients) grows
// with the batch, is held by the framework and has no name in Python. Memory jumps inside one step and climbs over none.
#include <fmt/format.h>

#include <algorithm>

#include "diagnose/memory_holders.h"
#include "diagnose/memory_story.h"
#include "diagnose/phrases.h"

namespace sigwhy::diagnose::stories {

namespace {

// The array that the user's code hands over with the most samples in its first dimension.
std::optional<std::size_t> batch(const Memory& m) {
  std::optional<std::size_t> best;
  const auto& arrays = m.f.snapshot.arrays;
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    const Array& a = arrays[i];
    if (a.shape.size() < 2 || a.shape.front() < 2 || !name_of(m.f.snapshot, a).users) continue;
    if (!best || a.shape.front() > arrays[*best].shape.front()) best = i;
  }
  return best;
}

}  // namespace

std::optional<Story> large_batch(const Memory& m) {
  if (!m.curve || m.curve->climb || !m.curve->jump_bytes) return std::nullopt;
  const auto unnamed = part_bytes(m.use, MemoryKind::unnamed_arrays) + part_bytes(m.use, MemoryKind::heap_in_use);
  const auto index = batch(m);
  if (!index || m.share(unnamed) < 0.3) return std::nullopt;
  const Array& a = m.f.snapshot.arrays[*index];
  const auto samples = static_cast<std::uint64_t>(a.shape.front());
  const auto name = name_of(m.f.snapshot, a).name;
  Story out{.why = fmt::format("one step on all {} samples of `{}` at once may be too large", count_text(samples), name),
            .whose = Whose::your_code};
  out.facts.push_back(fact("step", fmt::format("memory rose by {} at the very end, {} for each of them if that was one step",
                                               bytes_text(*m.curve->jump_bytes), bytes_text(*m.curve->jump_bytes / samples)),
                           {ref(m.curve->path), ref(fmt::format("/arrays/{}", *index))}));
  out.fix.push_back(fmt::format("Work on fewer samples at a time: if that was one step, half of them saves about {}.",
                                bytes_text(*m.curve->jump_bytes / 2)));
  return out;
}

}  // namespace sigwhy::diagnose::stories
