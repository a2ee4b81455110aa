// A Python literal of dicts, lists, tuples, strings, numbers and True, False, None: what NumPy writes in front of its
// arrays. Read with the place of every value; nesting and size are bounded.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sigwhy::inputs {

struct Literal {
  enum class Kind { wrong, dict, list, tuple, text, number, word };
  Kind kind = Kind::wrong;
  std::size_t at = 0, end = 0;      // in the text
  std::string text;                 // of a text or a word; of what is wrong: why
  std::uint64_t number = 0;
  std::vector<Literal> items;       // of a dict: key, value, key, value

  bool is(Kind k) const { return kind == k; }
  const Literal* value_of(std::string_view key) const;
};

// Blanks may follow it, nothing else. `at` of a wrong one is where it stops being a literal.
Literal read_literal(std::string_view text);

}  // namespace sigwhy::inputs
