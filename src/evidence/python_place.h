// Which Python line a death belongs to. A framework computes in threads of its own that run no Python; the line that
// asked for it stands in another thread, whose native stack is inside a call of the same library.
#pragma once
#include <cstddef>
#include <optional>
#include <string>

#include "evidence/snapshot.h"

namespace sigwhy {

struct PythonPlace {
  std::size_t thread = 0;  // index into Snapshot.threads
  std::size_t frame = 0;   // the innermost in the user's own files, else the innermost
  bool waits = false;      // it is another thread that died
};

// Absent: no thread died, none runs Python, or several could be the one that waits.
std::optional<PythonPlace> python_place(const Snapshot& snapshot);

// The thread that took the fatal signal, as far as that is known.
std::optional<std::size_t> dying_index(const Snapshot& snapshot);

// The name its user knows an array by: library code calls its arguments `a` and `x`.
struct ArrayName {
  std::string name;
  bool users = false;    // held by a name in the user's own code
  bool view_of = false;  // it has no name itself, but what it is a view of does
};
ArrayName name_of(const Snapshot& snapshot, const Array& array);

}  // namespace sigwhy
