#include "diagnose/line_values.h"

#include <fmt/format.h>

#include <algorithm>

#include "diagnose/phrases.h"

namespace sigwhy::diagnose {

namespace {

constexpr std::size_t most_values = 400;

bool starts_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool in_name(char c) { return starts_name(c) || (c >= '0' && c <= '9'); }

// The text in quotes that starts at `at`; moves `at` behind it.
std::string_view quoted(std::string_view line, std::size_t& at) {
  const char mark = line[at];
  const auto start = ++at;
  while (at < line.size() && line[at] != mark) at += line[at] == '\\' ? 2 : 1;
  const auto end = std::min(at, line.size());
  at = std::min(at + 1, line.size());
  return line.substr(start, end - start);
}

void add(const Facts& f, std::vector<NamedValue>& out, NamedValue value) {
  if (out.size() >= most_values) return;
  const auto* array = array_of(f, value);
  if (!array) value.array.reset();  // named in a hostile snapshot, and not there
  if (array && !array->elements.empty()) value.elements = &array->elements;
  out.push_back(std::move(value));
}

bool line_holds(std::string_view line, const std::vector<std::string>& names, const NamedValue& value) {
  const auto member = value.name.find_first_of(".[");
  if (member == std::string::npos) return std::ranges::find(names, value.name) != names.end();
  return line.find(value.name) != std::string_view::npos;
}

bool has_matter(const NamedValue& v) { return v.array || v.elements || v.text; }

std::vector<NamedValue> arguments_of_call(const Facts& f) {
  const FrameAt own = *f.failure->own;
  if (own.frame == 0) return {};
  const FrameAt called{own.exception, own.frame - 1};
  const auto& frame = frame_of(f.snapshot, called);
  std::vector<NamedValue> out;
  for (auto& value : values_of_frame(f, called)) {
    const auto name = value.name.substr(0, value.name.find_first_of(".["));
    const auto local = std::ranges::find(frame.values, name, &PyValue::name);
    if (local != frame.values.end() && local->argument && name != "self") out.push_back(std::move(value));
  }
  return out;
}

}  // namespace

std::vector<std::string> names_in(std::string_view line) {
  std::vector<std::string> names;
  for (std::size_t at = 0; at < line.size();) {
    if (line[at] == '#') break;
    if (line[at] == '\'' || line[at] == '"') {
      quoted(line, at);
      continue;
    }
    if (!starts_name(line[at])) {
      ++at;
      continue;
    }
    const auto start = at;
    while (at < line.size() && in_name(line[at])) ++at;
    const bool attribute = start > 0 && line[start - 1] == '.';
    const bool part_of_number = start > 0 && in_name(line[start - 1]);
    if (!attribute && !part_of_number) names.emplace_back(line.substr(start, at - start));
  }
  return names;
}

std::vector<std::string> strings_in(std::string_view line) {
  std::vector<std::string> found;
  for (std::size_t at = 0; at < line.size();) {
    if (line[at] == '#') break;
    if (line[at] == '\'' || line[at] == '"') found.emplace_back(quoted(line, at));
    else ++at;
  }
  return found;
}

std::vector<NamedValue> values_of_frame(const Facts& f, FrameAt at) {
  std::vector<NamedValue> out;
  const auto& frame = frame_of(f.snapshot, at);
  for (std::size_t i = 0; i < frame.values.size(); ++i) {
    const auto& v = frame.values[i];
    const auto path = fmt::format("/python_exceptions/{}/traceback/{}/values/{}", at.exception, at.frame, i);
    add(f, out, {v.name, v.type, v.text, v.length, v.array, v.elements.empty() ? nullptr : &v.elements, path});
    for (const auto& item : v.items)
      add(f, out,
          {v.name + item.name, item.type, item.text, item.length, item.array,
           item.elements.empty() ? nullptr : &item.elements, path});
  }
  return out;
}

std::vector<NamedValue> values_on_line(const Facts& f) {
  if (!f.failure || !f.failure->own) return {};
  auto all = values_of_frame(f, *f.failure->own);
  const auto& line = frame_of(f.snapshot, *f.failure->own).text;
  std::vector<NamedValue> on_line;
  const auto names = names_in(line.value_or(""));
  for (const auto& value : all)
    if (line_holds(line.value_or(""), names, value)) on_line.push_back(value);
  if (std::ranges::any_of(on_line, has_matter)) return on_line;
  auto arguments = arguments_of_call(f);
  if (std::ranges::any_of(arguments, has_matter)) return arguments;
  return line ? on_line : all;
}

std::string own_line(const Facts& f) {
  return f.failure->own ? frame_of(f.snapshot, *f.failure->own).text.value_or("") : std::string();
}

std::string failing_line(const Facts& f) {
  const auto& frames = root_of(f.snapshot, *f.failure).traceback;
  return frames.empty() ? std::string() : frames.front().text.value_or("");
}

bool raised_by_user(const Facts& f) {
  const auto& own = f.failure->own;
  if (!own || own->exception != f.failure->told.back() || own->frame != 0) return false;
  const auto line = failing_line(f);
  const auto first = line.find_first_not_of(" \t");
  const auto text = first == std::string::npos ? std::string_view() : std::string_view(line).substr(first);
  // An assert that calls something raises what that raises.
  const bool asserted = text.starts_with("assert") && is_a(f.snapshot.python_exceptions[own->exception], {"AssertionError"});
  return text.starts_with("raise") || asserted || text.find(": raise ") != std::string_view::npos;
}

const Array* array_of(const Facts& f, const NamedValue& value) {
  return value.array && *value.array < f.snapshot.arrays.size() ? &f.snapshot.arrays[*value.array] : nullptr;
}

std::vector<EvidenceRef> evidence_of(const NamedValue& value) {
  std::vector<EvidenceRef> refs{ref(value.path)};
  if (value.array) refs.push_back(ref(fmt::format("/arrays/{}", *value.array)));
  return refs;
}

bool is_sequence(std::string_view type) {
  const auto name = class_name(type);
  return name == "list" || name == "tuple" || name == "deque" || name == "ndarray";
}

}  // namespace sigwhy::diagnose
