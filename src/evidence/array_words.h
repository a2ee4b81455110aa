// An array in a few words, as reports and claims say it: "NumPy int64 (60000,)".
#pragma once
#include <string>
#include <vector>

#include "evidence/python.h"

namespace sigwhy {

// As Python writes a tuple: "(60000,)", "(32, 28)".
std::string shape_text(const std::vector<std::int64_t>& shape);
std::string array_text(const Array& array);

}  // namespace sigwhy
