// A data set that is read into memory before anything is done with it, and does not fit.
#include <fmt/format.h>

#include "diagnose/memory_holders.h"
#include "diagnose/memory_story.h"
#include "diagnose/phrases.h"

namespace sigwhy::diagnose::stories {

std::optional<Story> loaded_data(const Memory& m) {
  for (std::size_t i = 0; i < m.use.holders.size(); ++i) {
    const MemoryHolder& h = m.use.holders[i];
    if (!h.own_code || m.share(h.bytes) < 0.35) continue;
    const auto* line = adding_line(m.use, h.name);
    const bool read = line ? reads_files(*line) : stood_reading(m.f);
    if (!read) continue;
    Story out{.why = fmt::format("`{}` takes in the whole data set: {} so far", h.name, holds_text(h)),
              .whose = Whose::your_code};
    out.facts.push_back(fact("data", fmt::format("`{}` holds {} of {}", h.name, bytes_text(h.bytes),
                                                 bytes_text(m.judged_bytes)),
                             {holder_ref(i)}));
    if (line)
      out.facts.push_back(fact("reads", fmt::format("{} reads it from files: {}", adding_text(*line), one_line(line->text, 60)),
                               {adding_ref(m.use, *line)}));
    out.fix.push_back("Read each part when it is needed (a generator, tf.data, a DataLoader, np.load with mmap_mode='r').");
    return out;
  }
  return std::nullopt;
}

}  // namespace sigwhy::diagnose::stories
