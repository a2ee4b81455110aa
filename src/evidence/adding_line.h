// Which line of a Python source adds to what a name holds: `history.append(batch)`, `total = total + loss`, and whether
// it does so again and again to the same object. Indentation tells loops and functions apart well enough: nothing is
// parsed, so what is written over several lines may be missed.
#pragma once
#include <optional>
#include <string_view>

#include "evidence/memory_use.h"

namespace sigwhy {

// `name` may be a path (`layer.history`): then any object's attribute of that name counts. The one line that adds to
// it; where there are several, one that repeats. Absent: there is none.
std::optional<AddingLine> line_adding_to(std::string_view source, std::string_view name);

// A line by its number, whatever it adds to: does it run again and again, and does its loop do nothing else? The name is
// left empty. Absent: the source has no such line.
std::optional<AddingLine> line_at(std::string_view source, int number);

}  // namespace sigwhy
