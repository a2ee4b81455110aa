// Is this file sound? Chooses the format and walks the file in a child that may die.
#pragma once
#include <chrono>
#include <string>

#include "evidence/input.h"

namespace sigwhy::inputs {

// A walk that does not end within `limit` is not-checked, and says how far it came.
Checked check(const std::string& path, std::chrono::milliseconds limit);

}  // namespace sigwhy::inputs
