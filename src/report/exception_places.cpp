#include "report/exception_places.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "evidence/own_code.h"
#include "report/python_places.h"

namespace sigwhy::report {

namespace {

constexpr std::size_t most_own = 3, most_arrays = 3;

// After Ctrl-C CPython prints the traceback and then kills itself with SIGINT: the native stack is its own way out.
bool ended_by_exception(const Snapshot& s) {
  const auto& t = s.termination;
  if (t.kind == TerminationKind::exited) return t.exit_code != 0;
  return t.kind == TerminationKind::signalled && t.signal == SIGINT && !s.python_exceptions.empty() &&
         s.python_exceptions[0].type == "KeyboardInterrupt";
}

// The exception to show: the innermost cause that has a place; a context is often only a failed first try.
std::optional<std::size_t> shown_exception(const Snapshot& s) {
  if (!ended_by_exception(s)) return std::nullopt;
  std::optional<std::size_t> shown;
  for (std::size_t i = 0; i < s.python_exceptions.size(); ++i) {
    const auto& e = s.python_exceptions[i];
    const bool behind_exit = i == 1 && s.python_exceptions[0].type == "SystemExit";
    const bool follows = i == 0 || behind_exit || e.link == ExceptionLink::cause || e.link == ExceptionLink::remote;
    if (!follows) break;
    if (first_own(e.traceback) || !shown) shown = i;
  }
  return shown;
}

std::set<std::string> paths_of(const std::vector<const Finding*>& told) {
  std::set<std::string> paths;
  for (const Finding* finding : told)
    for (const auto& fact : finding->evidence_for)
      for (const auto& ref : fact.evidence) paths.insert(ref.path);
  return paths;
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

// "batch: object (32,)", of the values that the findings refer to.
std::string arrays_text(const Snapshot& s, const PythonFrame& frame, const std::string& path,
                        const std::set<std::string>& told) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < frame.values.size() && texts.size() < most_arrays; ++i) {
    const auto& value = frame.values[i];
    if (!value.array || *value.array >= s.arrays.size() || !told.contains(fmt::format("{}/values/{}", path, i)))
      continue;
    const auto& array = s.arrays[*value.array];
    texts.push_back(fmt::format("{}:\u00a0{}\u00a0{}", value.name, array.dtype, shape_text(array.shape)));
  }
  return fmt::format("{}", fmt::join(texts, "   "));
}

// What cannot be compiled has run no line: a SyntaxError says itself where, by its args ('…', (file, line, ...)).
std::optional<PythonFrame> where_it_says(const PyException& e) {
  for (const auto& a : e.attributes) {
    if (a.name != "args[1]" || a.items.size() < 4 || !a.items[0].text || !a.items[1].text) continue;
    std::string_view file = *a.items[0].text;
    if (a.items[0].type != "str" || a.items[1].type != "int" || file.size() < 3) continue;
    PythonFrame frame{.file = std::string(file.substr(1, file.size() - 2))};
    int line = 0;
    const auto& digits = *a.items[1].text;
    if (std::from_chars(digits.data(), digits.data() + digits.size(), line).ec == std::errc()) frame.line = line;
    return frame;
  }
  return std::nullopt;
}

bool is_syntax_error(const PyException& e) {
  return e.type == "SyntaxError" || std::ranges::find(e.bases, "SyntaxError") != e.bases.end();
}

}  // namespace

std::string exception_place(const Snapshot& s) {
  const auto shown = shown_exception(s);
  if (!shown) return {};
  const auto& type = s.python_exceptions[*shown].type;
  const auto rows = exception_places(s, {});
  return (rows.empty() ? "" : rows[0].cells[0] + " ") + type.substr(type.rfind('.') + 1);
}

std::vector<Row> exception_places(const Snapshot& s, const std::vector<const Finding*>& told) {
  const auto shown = shown_exception(s);
  if (!shown) return {};
  const auto paths = paths_of(told);
  const auto& frames = s.python_exceptions[*shown].traceback;
  std::vector<Row> rows;
  for (std::size_t i = 0; i < frames.size() && rows.size() < most_own; ++i) {
    if (!is_own_code(frames, i)) continue;
    auto row = python_row(s, frames[i]);
    const auto arrays = arrays_text(s, frames[i], fmt::format("/python_exceptions/{}/traceback/{}", *shown, i), paths);
    (row.source.empty() ? row.cells.back() : row.note) = arrays;
    if (rows.empty() || rows.back() != row) rows.push_back(std::move(row));
  }
  const auto& exception = s.python_exceptions[*shown];
  if (frames.empty() && is_syntax_error(exception))
    if (const auto said = where_it_says(exception)) rows.push_back(python_row(s, *said));
  if (rows.empty() && !frames.empty()) rows.push_back(python_row(s, frames.front()));
  return rows;
}

}  // namespace sigwhy::report
