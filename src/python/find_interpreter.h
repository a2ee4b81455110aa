// The interpreter among the files that a process has mapped.
#pragma once
#include <optional>
#include <vector>

#include "evidence/gap.h"
#include "python/interpreter.h"
#include "target/target.h"

namespace sigwhy::python {

// A gap says why one that is there cannot be read.
std::optional<Interpreter> find_interpreter(const Target& target, const Memory& memory, std::vector<Gap>& gaps);

}  // namespace sigwhy::python
