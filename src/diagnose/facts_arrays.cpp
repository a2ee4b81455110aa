// Every array by the name its user gave it, and whether the Python line in question hands it on.
#include <algorithm>

#include "diagnose/facts_parts.h"
#include "evidence/python_source.h"

namespace sigwhy::diagnose {

namespace {

bool is_argument(const PythonFrame& frame, const std::string& name) {
  return std::ranges::any_of(frame.values, [&](const PyValue& v) { return v.argument && v.name == name; });
}

// Handed on by this frame's line. Where the line cannot be read, only what the function itself was given counts.
bool hands_on(const PythonFrame& frame, const std::string& name) {
  return frame.text ? mentions(*frame.text, name) : is_argument(frame, name);
}

bool is_at_line(const Facts& f, std::size_t index) {
  const Array& a = f.snapshot.arrays[index];
  const auto& frames = f.snapshot.threads[f.python->thread].python;
  for (std::size_t i = 0; i <= f.python->frame && i < frames.size(); ++i)
    for (const auto& v : frames[i].values)
      if (v.array == index && hands_on(frames[i], v.name)) return true;
  return std::ranges::any_of(a.holders, [&](const Holder& h) {
    return h.thread == f.python->thread && h.frame && *h.frame <= f.python->frame && *h.frame < frames.size() &&
           hands_on(frames[*h.frame], h.name);
  });
}

}  // namespace

void add_arrays(Facts& f) {
  for (std::size_t i = 0; i < f.snapshot.arrays.size(); ++i) {
    const Array& a = f.snapshot.arrays[i];
    const auto known = name_of(f.snapshot, a);
    f.arrays.push_back({.name = (known.view_of ? "a view of `" : "`") + known.name + "`",
                        .users = known.users,
                        .at_line = f.python && is_at_line(f, i),
                        .elements = elements_of(a),
                        .memory = memory_of(a),
                        .leaves_memory = leaves_memory(a)});
  }
}

}  // namespace sigwhy::diagnose
