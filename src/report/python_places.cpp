#include "report/python_places.h"

#include <fmt/format.h>

#include <algorithm>

#include "evidence/own_code.h"
#include "report/symbols.h"

namespace sigwhy::report {

namespace {

constexpr std::size_t most_own = 3;

}  // namespace

Row python_row(const Snapshot& s, const PythonFrame& frame) {
  auto place = short_source(frame.file, s.process.directory);
  if (frame.line) place += fmt::format(":{}", *frame.line);
  return {.cells = {place, frame.function, ""}, .source = frame.text.value_or("")};
}

std::vector<Row> python_places(const Snapshot& s, const Thread& thread) {
  std::vector<Row> rows;
  const auto& frames = thread.python;
  for (std::size_t i = 0; i < frames.size(); ++i)
    if (is_own_code(frames, i) && rows.size() < most_own) rows.push_back(python_row(s, frames[i]));
  if (!frames.empty() && !is_own_code(frames, 0)) rows.push_back(python_row(s, frames[0]));
  return rows;
}

}  // namespace sigwhy::report
