#include "report/value_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "evidence/array_words.h"
#include "evidence/python_place.h"
#include "evidence/python_source.h"
#include "report/heap_rows.h"
#include "report/words.h"

namespace sigwhy::report {

namespace {

constexpr std::size_t most_rows = 4;
constexpr std::size_t most_frames = 12;
constexpr std::size_t most_arrays = 128;
constexpr std::size_t longest_name = 28;

std::string shortened(std::string text) {
  if (text.size() > longest_name) text = text.substr(0, longest_name - 3) + "...";
  return text;
}

// "/arrays/3" or below it -> 3
std::optional<std::size_t> array_in(std::string_view path) {
  constexpr std::string_view start = "/arrays/";
  if (!path.starts_with(start)) return std::nullopt;
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(path.data() + start.size(), path.data() + path.size(), index);
  return error == std::errc() ? std::optional(index) : std::nullopt;
}

void add(std::vector<std::size_t>& list, std::size_t index) {
  if (std::ranges::find(list, index) == list.end()) list.push_back(index);
}

std::vector<std::size_t> arrays_told(const std::vector<const Finding*>& told) {
  std::vector<std::size_t> arrays;
  for (const Finding* finding : told)
    for (const auto& fact : finding->evidence_for)
      for (const auto& ref : fact.evidence)
        if (const auto index = array_in(ref.path)) add(arrays, *index);
  return arrays;
}

Row array_row(const Snapshot& s, std::size_t index) {
  const Array& a = s.arrays[index];
  const auto known = name_of(s, a);
  auto text = array_text(a);
  if (known.view_of) text += ", a view of " + known.name;
  if (a.path) text += fmt::format(", in {}", base_name(*a.path));
  text += made_text(s, index);
  return {{shortened(known.view_of ? a.name : known.name), text}};
}

bool is_number(const PyValue& v) {
  return v.text && (v.type == "int" || v.type == "float" || v.type == "bool" || v.type.starts_with("int") ||
                    v.type.starts_with("uint") || v.type.starts_with("float"));
}

std::string value_text(const Snapshot& s, const PyValue& v) {
  if (v.array && *v.array < s.arrays.size()) return array_text(s.arrays[*v.array]);
  if (v.text) return v.type == "NoneType" ? "None" : fmt::format("{} {}", v.type, *v.text);
  return v.length ? fmt::format("{}, length {}", v.type, count_text(*v.length)) : v.type;
}

Section frame_section(const Snapshot& s, const PythonFrame& frame) {
  Section section{fmt::format("Values in {} ({}{})", frame.function, base_name(frame.file),
                              frame.line ? fmt::format(":{}", *frame.line) : ""),
                  {}};
  for (const auto& v : frame.values) section.rows.push_back({{shortened(v.name), value_text(s, v)}});
  return section;
}

std::string memory_text(const Array& a) {
  std::string text;
  if (a.data) text += ", data " + hex_text(*a.data);
  text += ", " + counted(a.bytes, "byte");
  if (a.strides) text += ", strides " + shape_text(*a.strides);
  const bool whole = a.memory_start == a.data && a.memory_bytes == a.bytes;
  if (a.memory_start && a.memory_bytes && a.owns_memory != true && !whole)
    text += fmt::format(", a view of {} at {}", counted(*a.memory_bytes, "byte"), hex_text(*a.memory_start));
  if (a.points_to) text += ", points to " + hex_text(*a.points_to);
  if (a.writable == false) text += ", read-only";
  if (a.path) text += ", in " + *a.path;
  return text;
}

Section array_section(const Snapshot& s) {
  Section section{"Arrays", {}};
  for (const auto& a : s.arrays) {
    if (section.rows.size() == most_arrays) break;
    section.rows.push_back({{shortened(name_of(s, a).name), array_text(a) + memory_text(a)}});
  }
  return section;
}

}  // namespace

std::vector<Row> value_rows(const Snapshot& s, const std::vector<const Finding*>& told) {
  auto arrays = arrays_told(told);
  std::string numbers;
  if (const auto place = python_place(s)) {
    const auto& frame = s.threads[place->thread].python[place->frame];
    for (const auto& v : frame.values) {
      if (!frame.text || !mentions(*frame.text, v.name)) continue;
      if (v.array) add(arrays, *v.array);
      else if (is_number(v)) numbers += fmt::format("{}{} = {}", numbers.empty() ? "" : ", ", v.name, *v.text);
    }
  }
  std::erase_if(arrays, [&](std::size_t i) { return i >= s.arrays.size(); });
  if (arrays.size() + !numbers.empty() > most_rows) arrays.resize(most_rows - !numbers.empty());
  std::vector<Row> rows;
  for (const auto i : arrays) rows.push_back(array_row(s, i));
  if (!numbers.empty()) rows.push_back({{"with", numbers}});
  return rows;
}

std::vector<Section> value_details(const Snapshot& s) {
  std::vector<Section> sections;
  if (const auto place = python_place(s)) {
    const auto& frames = s.threads[place->thread].python;
    for (std::size_t i = 0; i < std::min(frames.size(), most_frames); ++i)
      if (!frames[i].values.empty()) sections.push_back(frame_section(s, frames[i]));
  }
  if (!s.arrays.empty()) sections.push_back(array_section(s));
  return sections;
}

}  // namespace sigwhy::report
