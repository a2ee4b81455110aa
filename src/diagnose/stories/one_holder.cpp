// One name holds most of it, and nothing tells more: it was filled so fast, or so early, that no growth was seen.
#include <fmt/format.h>

#include "diagnose/memory_holders.h"
#include "diagnose/memory_story.h"
#include "diagnose/phrases.h"

namespace sigwhy::diagnose::stories {

std::optional<Story> one_holder(const Memory& m) {
  if (m.curve && m.curve->climb) return std::nullopt;  // then the question is whether it leaks
  for (std::size_t i = 0; i < m.use.holders.size(); ++i) {
    const MemoryHolder& h = m.use.holders[i];
    if (!h.own_code || m.share(h.bytes) < 0.5) continue;
    const auto* line = adding_line(m.use, h.name);
    Story out{.why = fmt::format("`{}` holds most of it: {}{}", h.name, holds_text(h),
                                 line ? ", added at " + adding_text(*line) : ""),
              .whose = Whose::your_code};
    out.facts.push_back(fact("holder", fmt::format("that is {} of {}", bytes_text(h.bytes), bytes_text(m.judged_bytes)),
                             {holder_ref(i)}));
    out.fix.push_back(fmt::format("Hold less in `{}` at a time: work on parts of it, or use a smaller dtype.", h.name));
    return out;
  }
  return std::nullopt;
}

}  // namespace sigwhy::diagnose::stories
