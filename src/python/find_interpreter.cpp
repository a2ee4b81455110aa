#include "python/find_interpreter.h"

#include <utility>

namespace sigwhy::python {

static std::string_view name_of(const Mapping& m) { return std::string_view(m.path).substr(m.path.rfind('/') + 1); }

std::optional<Interpreter> find_interpreter(const Target& target, const Memory& memory, std::vector<Gap>& gaps) {
  std::string_view why;
  bool first = true;
  for (const Mapping& m : target.mappings) {
    if (m.offset != 0 || !m.path.starts_with('/')) continue;
    const bool program = std::exchange(first, false);
    const LoadedFile file{m.start, name_of(m)};
    if (!program && !may_hold_interpreter(file.name) && !is_pypy(file.name)) continue;
    if (auto found = interpreter_in(memory, file)) return found;
    if (why.empty()) why = why_unreadable(memory, file);
  }
  if (!why.empty()) gaps.push_back({"the Python frames", std::string(why), ""});
  return std::nullopt;
}

}  // namespace sigwhy::python
