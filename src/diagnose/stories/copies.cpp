// The same data twice: tf.constant(x) and torch.tensor(x) copy, astype and slicing with a list do too.
#include <fmt/format.h>

#include <algorithm>

#include "diagnose/memory_story.h"
#include "diagnose/phrases.h"

namespace sigwhy::diagnose::stories {

std::optional<Story> copies(const Memory& m) {
  std::uint64_t sum = 0;
  for (const auto& copy : m.use.copies) sum += copy.bytes;
  if (m.share(sum) < 0.2) return std::nullopt;
  const auto largest = std::ranges::max_element(m.use.copies, {}, &MemoryCopy::bytes);
  Story out{.why = fmt::format("`{}` and `{}` hold the same data: {} each", largest->copy_of, largest->name,
                               bytes_text(largest->bytes)),
            .whose = Whose::your_code};
  out.facts.push_back(fact("copies", fmt::format("copies take {} of {}", bytes_text(sum), bytes_text(m.judged_bytes)),
                           {ref(fmt::format("/memory_use/copies/{}", largest - m.use.copies.begin()))}));
  out.fix.push_back(fmt::format("Let go of `{}` once it has been converted (del): without copies it needs {} less.",
                                largest->copy_of, bytes_text(sum)));
  return out;
}

}  // namespace sigwhy::diagnose::stories
