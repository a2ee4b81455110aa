// The Python script that a recipe runs, and what it imports, in its order.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "evidence/recipe.h"

namespace sigwhy::experiment {

// Absolute; absent: it runs none (-c, -m, no Python).
std::optional<std::string> script_of(const Recipe& recipe);

// First components of what the lines `import a.b, c` and `from d import e` at its left edge name, each once.
std::vector<std::string> imports_of(const std::string& source);

std::string folder_of(const std::string& path);

}  // namespace sigwhy::experiment
