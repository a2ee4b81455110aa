// What can be read off Python's own texts: whose a file is, and which names a line of source mentions.
#pragma once
#include <string_view>

namespace sigwhy {

// The standard library, installed packages and frozen modules are somebody else's; everything else is the user's own.
inline bool is_library_file(std::string_view file) {
  if (file.starts_with('<')) return file != "<stdin>" && file != "<string>";
  for (const std::string_view part : {"/site-packages/", "/dist-packages/", "/lib/python"})
    if (file.find(part) != file.npos) return true;
  return false;
}

// Does this line of Python use that name: `labels`, `self.buffers[3]`? A path also counts as used where the line
// hands on all of what it starts from: `step(batch)` uses `batch['image']`, `batch.append(x)` does not.
bool mentions(std::string_view line, std::string_view name);

}  // namespace sigwhy
