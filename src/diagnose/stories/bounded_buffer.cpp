// A replay buffer with a capacity is no leak: it stops growing when it is full. But full may be more than there is.
#include <fmt/format.h>

#include "diagnose/memory_holders.h"
#include "diagnose/memory_story.h"
#include "diagnose/phrases.h"

namespace sigwhy::diagnose::stories {

std::optional<Story> bounded_buffer(const Memory& m) {
  for (std::size_t i = 0; i < m.use.holders.size(); ++i) {
    const MemoryHolder& h = m.use.holders[i];
    if (!h.capacity || !h.length || *h.length == 0 || m.share(h.bytes) < 0.35) continue;
    const auto each = h.bytes / *h.length;
    const auto full = each * *h.capacity;
    Story out{.why = fmt::format("`{}` was {} of {} full; full it needs {}", h.name, count_text(*h.length),
                                 count_text(*h.capacity), bytes_text(full)),
              .whose = Whose::your_code};
    out.facts.push_back(
        fact("buffer", fmt::format("`{}` holds {}, {} each", h.name, bytes_text(h.bytes), bytes_text(each)), {holder_ref(i)}));
    const auto rest = m.judged_bytes - std::min(m.judged_bytes, h.bytes);
    if (m.bound && each > 0 && m.bound->bytes > rest)
      out.fix.push_back(fmt::format("Give it room for fewer: about {} fit beside the other {}.",
                                    count_text((m.bound->bytes - rest) * 9 / 10 / each), bytes_text(rest)));
    return out;
  }
  return std::nullopt;
}

}  // namespace sigwhy::diagnose::stories
