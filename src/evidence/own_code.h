// Whose Python code a frame runs: the user's, or that of an installed package, the standard library or a tool that
// writes code while the program runs. Readers look at their own lines first, rules reason from them.
#pragma once
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "evidence/python.h"

namespace sigwhy {

bool is_own_code(const PythonFrame& frame);
// Among its callers: code out of a string is the program itself below `python -c`, and else written by whoever runs it
// (a dataclass, TensorFlow's functions for a custom op).
bool is_own_code(const std::vector<PythonFrame>& frames, std::size_t index);
// The innermost of the user's own.
std::optional<std::size_t> first_own(const std::vector<PythonFrame>& frames);
// By the file alone.
bool is_own_file(std::string_view file);

}  // namespace sigwhy
