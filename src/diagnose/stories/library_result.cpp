// model.predict() and its like gather one result a batch and put them together at the end: memory climbs as in a leak,
// and all of it is a local of the library's function. It would be gone, or be the result, when that returns.
#include <fmt/format.h>

#include "diagnose/memory_holders.h"
#include "diagnose/memory_story.h"
#include "diagnose/phrases.h"

namespace sigwhy::diagnose::stories {

namespace {

// The user's line that called it; where no stack could be read, the line that was seen last.
std::optional<std::string> called_at(const Facts& f) {
  if (const auto own = own_frame(f)) {
    const auto& frame = f.snapshot.threads[*python_thread(f)].python[*own];
    return fmt::format("{}:{}", file_name(frame.file), frame.line.value_or(0));
  }
  if (!f.snapshot.timeline || !f.snapshot.timeline->last_line) return std::nullopt;
  const LastLine& last = *f.snapshot.timeline->last_line;
  return fmt::format("{}:{}", file_name(last.file), last.line);
}

// "TensorFlowTrainer.predict" is predict(), for who calls it.
std::string call_text(std::string_view function) {
  return std::string(function.substr(function.rfind('.') + 1)) + "()";
}

}  // namespace

std::optional<Story> library_result(const Memory& m) {
  for (std::size_t i = 0; i < m.use.holders.size(); ++i) {
    const MemoryHolder& h = m.use.holders[i];
    if (!is_library_local(h) || h.count < 8 || m.share(h.bytes) < 0.35) continue;
    const auto at = called_at(m.f);
    const auto call = call_text(*h.function);
    Story out{.why = fmt::format("{} keeps every result until it returns{}", call, at ? ", called at " + *at : ""),
              .whose = Whose::your_code};
    out.facts.push_back(fact("result", fmt::format("{} so far in its `{}`: {} of {}", holds_text(h), h.name,
                                                   bytes_text(h.bytes), bytes_text(m.judged_bytes)),
                             {holder_ref(i)}));
    out.fix.push_back(fmt::format("Call {} on parts of the data and use each result before the next.", call));
    out.fix.push_back("A smaller batch will not help: all results together stay as large.");
    return out;
  }
  return std::nullopt;
}

}  // namespace sigwhy::diagnose::stories
