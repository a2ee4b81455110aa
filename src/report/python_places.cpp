#include "report/python_places.h"

#include <fmt/format.h>

#include <algorithm>

#include "evidence/own_code.h"
#include "report/symbols.h"

namespace sigwhy::report {

namespace {

constexpr std::size_t most_own = 3;

}  // namespace

bool is_own(const PythonFrame& frame) { return is_own_code(frame); }

Row python_row(const Snapshot& s, const PythonFrame& frame) {
  auto place = short_source(frame.file, s.process.directory);
  if (frame.line) place += fmt::format(":{}", *frame.line);
  return {{place, frame.function, source_line_text(frame.text)}};
}

std::vector<Row> python_places(const Snapshot& s, const Thread& thread) {
  std::vector<Row> rows;
  for (const auto& frame : thread.python)
    if (is_own(frame) && rows.size() < most_own) rows.push_back(python_row(s, frame));
  if (!thread.python.empty() && !is_own(thread.python.front())) rows.push_back(python_row(s, thread.python.front()));
  return rows;
}

}  // namespace sigwhy::report
