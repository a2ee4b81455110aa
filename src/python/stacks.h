// The Python side of a dead process: which interpreter, every thread's frames with lines and values, the arrays its
// names reach, and the exception that ended it.
#pragma once
#include <vector>

#include "evidence/gap.h"
#include "evidence/python.h"
#include "evidence/thread.h"
#include "python/collector.h"
#include "target/target.h"

namespace sigwhy::python {

struct PythonSide {
  std::vector<PyInterpreter> interpreters;
  std::vector<Array> arrays;
  std::vector<PyException> exceptions;
};

// Gives each thread its Python frames; a thread that never ran Python has none.
PythonSide read_python(const Target& target, std::vector<Thread>& threads, ValuesPolicy policy, std::vector<Gap>& gaps);

}  // namespace sigwhy::python
