// One array that is too large. The kernel gives memory page by page as it is first written, so an array larger than the
// limit can be made and dies while it is filled, at once or over hours.
#include <fmt/format.h>

#include "diagnose/memory_holders.h"
#include "diagnose/memory_story.h"
#include "diagnose/phrases.h"
#include "evidence/array_words.h"

namespace sigwhy::diagnose::stories {

namespace {

constexpr double least_share = 0.4;

std::optional<std::size_t> largest(const Snapshot& s) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < s.arrays.size(); ++i) {
    const Array& a = s.arrays[i];
    const bool its_own = !a.memory_bytes || a.bytes <= *a.memory_bytes;  // a broadcast view has next to none
    const bool here = a.data && !a.path;
    if (its_own && here && (!best || a.bytes > s.arrays[*best].bytes)) best = i;
  }
  return best;
}

// Whether that would have been enough is not known: it ended in the middle, and what was still to come was not seen.
void add_smaller(const Memory& m, const Array& a, Story& out) {
  if (a.dtype != "float64" && a.dtype != "int64") return;
  const auto half = a.dtype == "float64" ? "float32" : "int32";
  if (m.bound && a.bytes / 2 > m.bound->bytes)
    out.fix.push_back(fmt::format("{} alone would not do: it needs {} then.", half, bytes_text(a.bytes / 2)));
  else out.fix.push_back(fmt::format("As {} it needs half, {}.", half, bytes_text(a.bytes / 2)));
}

// `table = np.concatenate([table, rows])` in a loop: old and new are there at the same time, and it has no end.
void tell_growth(const Memory& m, const AddingLine& line, Story& out) {
  out.facts.push_back(fact("grows", fmt::format("{} makes it anew and larger each time; old and new are held together: {}",
                                                adding_text(line), one_line(line.text, 60)),
                           {adding_ref(m.use, line)}));
  out.fix.push_back(fmt::format("Write the rows out as they come, or make `{}` once at its full size and fill it: joining "
                                "needs room for both.", line.name));
}

// The same by the census alone, where no stack could be read.
std::optional<Story> by_holder(const Memory& m) {
  for (std::size_t i = 0; i < m.use.holders.size(); ++i) {
    const MemoryHolder& h = m.use.holders[i];
    if (h.count != 1 || m.share(h.bytes) < least_share || h.elements.empty() || !h.elements.front().shape) continue;
    const ElementGroup& e = h.elements.front();
    Story out{.why = fmt::format("one array takes most of it: `{}`, {} {}", h.name, e.dtype.value_or(h.type),
                                 shape_text(*e.shape)),
              .whose = Whose::your_code};
    out.facts.push_back(fact("array", fmt::format("`{}` had {} of memory when it ended; an array is given memory as it is "
                                                  "written", h.name, bytes_text(h.bytes)),
                             {holder_ref(i)}));
    out.fix.push_back(fmt::format("Make `{}` in parts, or keep it in a file (np.memmap).", h.name));
    return out;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Story> one_array(const Memory& m) {
  const auto index = largest(m.f.snapshot);
  if (!index) return by_holder(m);
  const Array& a = m.f.snapshot.arrays[*index];
  if (m.share(a.bytes) < least_share) return by_holder(m);
  const bool beyond = m.bound && a.bytes > m.bound->bytes;
  const auto name = name_of(m.f.snapshot, a).name;
  Story out{.why = fmt::format("one array takes most of it: `{}`, {}, {}", name, array_text(a), bytes_text(a.bytes)),
            .whose = Whose::your_code};
  if (beyond) out.why = fmt::format("`{}` alone is larger than {}: {}, {}", name, m.bound->words, array_text(a),
                                    bytes_text(a.bytes));
  out.facts.push_back(fact("array", fmt::format("an array is given memory as it is written; `{}` has {} in all", name,
                                                bytes_text(a.bytes)),
                           {ref(fmt::format("/arrays/{}", *index))}));
  const auto* line = adding_line(m.use, name);
  if (line && line->repeats && joins_arrays(*line)) {
    tell_growth(m, *line, out);
    return out;
  }
  out.fix.push_back(fmt::format("Make `{}` in parts, or keep it in a file (np.memmap).", name));
  add_smaller(m, a, out);
  return out;
}

}  // namespace sigwhy::diagnose::stories
