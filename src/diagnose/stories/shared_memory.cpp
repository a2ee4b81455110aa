// Files in /dev/shm and other tmpfs, and shared mappings, are memory that belongs to no process: a group is charged for
// them as long as the files exist, also when whoever wrote them is gone.
#include <fmt/format.h>

#include "diagnose/memory_holders.h"
#include "diagnose/memory_story.h"
#include "diagnose/phrases.h"

namespace sigwhy::diagnose::stories {

std::optional<Story> shared_memory(const Memory& m) {
  const auto part = part_index(m.use, MemoryKind::shared_memory);
  if (!part || m.share(m.use.parts[*part].bytes) < 0.4) return std::nullopt;
  Story out{.why = fmt::format("{} of it were shared memory: /dev/shm, other tmpfs, shared mappings",
                               bytes_text(m.use.parts[*part].bytes))};
  out.facts.push_back(fact("shared", fmt::format("{} of {} counted as shared memory", bytes_text(m.use.parts[*part].bytes),
                                                 bytes_text(m.judged_bytes)),
                           {ref(fmt::format("/memory_use/parts/{}", *part))}));
  out.fix.push_back("Close shared mappings and unlink their segments when they are done with (ls -l /dev/shm), and use "
                    "fewer or smaller ones: a file there counts until it is gone.");
  return out;
}

}  // namespace sigwhy::diagnose::stories
