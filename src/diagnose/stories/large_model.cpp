// Weights, and what the optimizer keeps for each of them (Adam two numbers, momentum one, plain SGD none), do not depend
// on the batch: where they fill the memory, no batch size helps.
#include <fmt/format.h>

#include "diagnose/memory_holders.h"
#include "diagnose/memory_story.h"
#include "diagnose/phrases.h"

namespace sigwhy::diagnose::stories {

namespace {

bool grows(const Memory& m, const MemoryHolder& h) {
  const auto* line = adding_line(m.use, h.name);
  return line && line->repeats && is_container(h.type);
}

}  // namespace

std::optional<Story> large_model(const Memory& m) {
  std::uint64_t sum = 0;
  std::vector<EvidenceRef> refs;
  for (std::size_t i = 0; i < m.use.holders.size(); ++i)
    if (holds_weights(m.use.holders[i]) && !grows(m, m.use.holders[i])) {
      sum += m.use.holders[i].bytes;
      refs.push_back(holder_ref(i));
    }
  if (m.share(sum) < 0.5) return std::nullopt;
  Story out{.why = "the model itself is too large: weights and optimizer, whatever the batch", .whose = Whose::your_code};
  out.facts.push_back(fact("weights", fmt::format("variables of the model and its optimizer take {} of {}", bytes_text(sum),
                                                  bytes_text(m.judged_bytes)),
                           std::move(refs)));
  out.fix.push_back("Use a smaller model, or an optimizer that keeps less for each weight (Adam two numbers, SGD none). A "
                    "smaller batch will not help.");
  return out;
}

}  // namespace sigwhy::diagnose::stories
