// model.predict() and its like gather one result a batch and put them together at the end: memory climbs as in a leak,
// and all of it is a local of the library's function. It would be gone, or be the result, when that returns.
#include <fmt/format.h>

#include "diagnose/memory_holders.h"
#include "diagnose/memory_story.h"
#include "diagnose/phrases.h"

namespace sigwhy::diagnose::stories {

std::optional<Story> library_result(const Memory& m) {
  const auto own = own_frame(m.f);
  for (std::size_t i = 0; i < m.use.holders.size(); ++i) {
    const MemoryHolder& h = m.use.holders[i];
    if (!is_library_local(h) || h.count < 8 || m.share(h.bytes) < 0.35 || !own) continue;
    const auto& frame = m.f.snapshot.threads[*python_thread(m.f)].python[*own];
    const auto at = fmt::format("{}:{}", file_name(frame.file), frame.line.value_or(0));
    Story out{.why = fmt::format("{}() keeps every result until it returns, called at {}", *h.function, at),
              .whose = Whose::your_code};
    out.facts.push_back(fact("result", fmt::format("{} so far in its `{}`: {} of {}", holds_text(h), h.name,
                                                   bytes_text(h.bytes), bytes_text(m.judged_bytes)),
                             {holder_ref(i)}));
    out.fix.push_back(fmt::format("Call {}() on parts of the data and use each result before the next.", *h.function));
    out.fix.push_back("A smaller batch will not help: all results together stay as large.");
    return out;
  }
  return std::nullopt;
}

}  // namespace sigwhy::diagnose::stories
