#include "diagnose/named_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "diagnose/array_phrases.h"
#include "diagnose/line_values.h"
#include "diagnose/phrases.h"

namespace sigwhy::diagnose {

namespace {

// Small numbers lead anywhere near by chance.
constexpr std::int64_t least_number = 1024;

std::optional<std::int64_t> number_in(const PyValue& v) {
  std::int64_t number = 0;
  if (!v.text || v.type != "int") return std::nullopt;
  const auto end = v.text->data() + v.text->size();
  const bool whole = std::from_chars(v.text->data(), end, number).ptr == end;
  return whole && (number >= least_number || number <= -least_number) ? std::optional(number) : std::nullopt;
}

// What one step of the number is: of an array its elements and rows, of a pointer whatever the access touches.
std::vector<std::int64_t> steps_of(const Array& a, const MemoryFault& m) {
  if (a.points_to) return {static_cast<std::int64_t>(m.width_bytes.value_or(1))};
  std::vector<std::int64_t> steps{static_cast<std::int64_t>(a.item_bytes)};
  if (a.strides) steps.insert(steps.end(), a.strides->begin(), a.strides->end());
  return steps;
}

bool is_inside(const Array& a, Address at) {
  return !a.points_to && a.memory_start && at >= *a.memory_start && at.value - a.memory_start->value < a.memory_bytes.value_or(0);
}

std::optional<NamedIndex> tied(const Facts& f, const PyValue& array, const PyValue& index) {
  const Array* a = array.array && *array.array < f.snapshot.arrays.size() ? &f.snapshot.arrays[*array.array] : nullptr;
  const auto number = number_in(index);
  const auto start = a ? (a->points_to ? a->points_to : a->data) : std::nullopt;
  if (!start || !number || is_inside(*a, f.memory->address)) return std::nullopt;
  const auto place = place_of(f.snapshot, *start);
  const auto distance = f.memory->address - *start;
  for (const auto step : steps_of(*a, *f.memory)) {
    if (!place.region || place.region == f.memory->place.region || step <= 0 || distance % step != 0 || distance / step != *number) continue;
    NamedIndex found{array.name, index.name, *number, static_cast<std::uint64_t>(step), *place.region, {}};
    return found;
  }
  return std::nullopt;
}

}  // namespace

std::optional<NamedIndex> named_index(const Facts& f) {
  if (!f.memory || !f.python) return std::nullopt;
  const PythonFrame& frame = f.snapshot.threads[f.python->thread].python[f.python->frame];
  const auto names = names_in(frame.text.value_or(""));
  const auto is_there = [&](const PyValue& v) { return !frame.text || std::ranges::count(names, v.name) > 0; };
  for (const auto& array : frame.values)
    for (const auto& index : frame.values) {
      auto found = is_there(array) && is_there(index) ? tied(f, array, index) : std::nullopt;
      if (!found) continue;
      found->evidence = {array_ref(*array.array), ref(fmt::format("/threads/{}/python/{}", f.python->thread, f.python->frame))};
      return found;
    }
  return std::nullopt;
}

}  // namespace sigwhy::diagnose
