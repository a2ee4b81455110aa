// Is this exception about arrays at all? A ValueError that says "shape" may come from a drawing program. It counts only
// where an array library raised it: its class, its frames, or its C code called from a line that holds arrays.
#pragma once
#include <string>
#include <vector>

#include "diagnose/line_values.h"

namespace sigwhy::diagnose {

// "numpy", "torch", "tensorflow", ...: the library that raised it; nothing where none can be seen.
std::optional<std::string> raising_library(const Facts& facts);
std::optional<std::string> loaded_library(const Facts& facts);  // one of them is in the process

// Rows of unequal length in a value, counted.
struct UnequalRows {
  NamedValue value;
  std::uint64_t usual = 0, usual_count = 0;  // the length that most rows have
  std::uint64_t odd = 0, odd_index = 0;      // the first row that differs
  std::uint64_t odd_count = 0;               // all that differ
  std::size_t lengths = 0;                   // how many different ones
  std::uint64_t least = 0, most = 0;
  bool by_shape = false;  // the rows are arrays of unequal shape
  std::string usual_shape, odd_shape;
  bool own = true;  // a value of the user's frame; else of a function it called
};
std::optional<UnequalRows> unequal_rows(const NamedValue& value);
// The first value on the failing line, or among the arguments of the functions called from there, that has such rows.
std::optional<UnequalRows> unequal_rows_here(const Facts& facts);
// The same, of object arrays alone: what a refusal of dtype object is about.
std::optional<UnequalRows> unequal_objects_here(const Facts& facts);

// None among the elements: "2 of 8, the first at 2".
struct Holes {
  NamedValue value;
  std::uint64_t count = 0, first = 0, all = 0;
  bool own = true;
};
std::optional<Holes> holes_here(const Facts& facts);

// What the root error says, and where.
Fact error_fact(const Facts& facts);
Fact value_fact(const Facts& facts, const NamedValue& value);  // "`batch` is an object array (32,): 32 lists"
// Where an element lies that was counted flat: "4", or "1, 1" of an array with rows of three.
std::string index_text(const Facts& facts, const NamedValue& value, std::uint64_t flat);
std::string elements_text(const std::vector<ElementGroup>& groups);
Whose whose_line(const Facts& facts);

}  // namespace sigwhy::diagnose
