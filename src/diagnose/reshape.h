// A reshape keeps every element, so the sizes it asks for must multiply to their number, or divide it where one is left
// open (-1). Its error names some of these numbers and leaves out whose elements they are.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "diagnose/array_words.h"

namespace sigwhy::diagnose {

bool is_reshape(std::string_view words);

struct Reshape {
  enum class Open { no, yes, unknown } open = Open::unknown;  // is one size -1 already?
  std::uint64_t product = 0;                                  // of those that are fixed; 0: not told
  Dimensions sizes;                                           // the fixed ones; empty: not told
};
Reshape reshape_in(std::string_view words, std::string_view line);

// What the sizes make of it, behind "`x` has 784 elements, ".
std::string clash_text(std::uint64_t elements, const Reshape& reshape);
std::string fix_text(std::uint64_t elements, const Reshape& reshape);

}  // namespace sigwhy::diagnose
