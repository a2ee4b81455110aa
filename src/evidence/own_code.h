// Whose Python code a frame runs: the user's, or that of an installed package, the standard library or a tool that
// writes code while the program runs. Readers look at their own lines first, rules reason from them.
#pragma once
#include <string_view>

#include "evidence/python.h"

namespace sigwhy {

bool is_own_code(const PythonFrame& frame);
// By the file alone.
bool is_own_file(std::string_view file);

}  // namespace sigwhy
