#include "diagnose/memory_story.h"

#include <algorithm>

#include "diagnose/memory_holders.h"

namespace sigwhy::diagnose {

std::optional<Story> memory_story(const Facts& f) {
  if (!f.snapshot.memory_use) return std::nullopt;
  const MemoryUse& use = *f.snapshot.memory_use;
  const Memory m{f, use, memory_curve(f), memory_bound(f), std::max<std::uint64_t>(1, use.judged_bytes)};
  // What others hold comes first, what is certain by its size next, what is told by circumstances last.
  for (const auto story : {stories::other_processes, stories::shared_memory, stories::copies, stories::one_array,
                           stories::library_result, stories::bounded_buffer, stories::loaded_data, stories::large_model,
                           stories::large_batch})
    if (auto told = story(m)) return told;
  return std::nullopt;
}

void tell(const Story& story, Finding& finding) {
  if (story.facts.empty()) return;
  finding.evidence_for.push_back({"story", story.why, story.facts.front().evidence});
  finding.evidence_for.insert(finding.evidence_for.end(), story.facts.begin(), story.facts.end());
  if (!story.fix.empty()) finding.fix = story.fix;
  if (story.whose != Whose::unknown) finding.whose = story.whose;
}

}  // namespace sigwhy::diagnose
