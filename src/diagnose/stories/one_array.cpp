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

void add_smaller(const Memory& m, const Array& a, Story& out) {
  if (a.dtype != "float64" && a.dtype != "int64") return;
  const auto half = a.dtype == "float64" ? "float32" : "int32";
  if (m.fits_without(a.bytes / 2) && a.bytes <= m.judged_bytes)
    out.fix.push_back(fmt::format("As {} it needs {}, and that would have fitted.", half, bytes_text(a.bytes / 2)));
  else
    out.fix.push_back(fmt::format("{} alone would not do: it needs {} then.", half, bytes_text(a.bytes / 2)));
}

}  // namespace

std::optional<Story> one_array(const Memory& m) {
  const auto index = largest(m.f.snapshot);
  if (!index) return std::nullopt;
  const Array& a = m.f.snapshot.arrays[*index];
  if (m.share(a.bytes) < least_share) return std::nullopt;
  const bool beyond = m.bound && a.bytes > m.bound->bytes;
  const auto name = name_of(m.f.snapshot, a).name;
  Story out{.why = fmt::format("one array takes most of it: `{}`, {}, {}", name, array_text(a), bytes_text(a.bytes)),
            .whose = Whose::your_code};
  if (beyond) out.why = fmt::format("`{}` alone is larger than {}: {}, {}", name, m.bound->words, array_text(a),
                                    bytes_text(a.bytes));
  out.facts.push_back(fact("array", fmt::format("an array is given memory as it is written; `{}` has {} in all", name,
                                                bytes_text(a.bytes)),
                           {ref(fmt::format("/arrays/{}", *index))}));
  out.fix.push_back(fmt::format("Make `{}` in parts, or keep it in a file (np.memmap).", name));
  add_smaller(m, a, out);
  return out;
}

}  // namespace sigwhy::diagnose::stories
