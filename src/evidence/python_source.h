// What can be read off a line of Python source: which names it uses.
#pragma once
#include <string_view>

namespace sigwhy {

// Does this line of Python use that name: `labels`, `self.buffers[3]`? A path also counts as used where the line
// hands on all of what it starts from: `step(batch)` uses `batch['image']`, `batch.append(x)` does not.
bool mentions(std::string_view line, std::string_view name);

}  // namespace sigwhy
