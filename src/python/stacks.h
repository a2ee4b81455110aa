// The Python side of a dead process: which interpreter, and every thread's frames with their lines.
#pragma once
#include <vector>

#include "evidence/gap.h"
#include "evidence/python.h"
#include "evidence/thread.h"
#include "target/target.h"

namespace sigwhy::python {

// Gives each thread its Python frames; a thread that never ran Python has none.
std::vector<PyInterpreter> add_python_frames(const Target& target, std::vector<Thread>& threads,
                                             std::vector<Gap>& gaps);

}  // namespace sigwhy::python
